import { type Chapter, line } from '../line.ts'

/** Attacks through agent frameworks, and through clients and agents of the Agent Client Protocol. */
export const agents: Chapter = {
  title: 'Agent frameworks, editors and their agents',
  lines: [
    line(
      'G1',
      'an approval is entered by hand into the state of an OpenAI run',
      'the state is no evidence: a tool runs only after it claims a question that the store records as approved',
      1,
    ),
    line(
      'G2',
      'the approval of a tool that the provider runs is sent twice',
      'one resume claims the approval; if its process dies, the model reads that the outcome is unknown',
      2,
    ),
    line(
      'G3',
      'the state of an OpenAI run, which contains the conversation, is read in the database or by another user',
      'the state is encrypted, bound to session and run, and erased with its session and its user',
      2,
    ),
    line(
      'G4',
      'an approval for one call of Claude allows another input, or a second process',
      'the question is bound to the input that it shows, and one process carries the approval out',
      2,
    ),
    line(
      'G5',
      "an approval on a card changes Claude's settings on the user's machine",
      'rules are accepted for the session only, and only if the user chose the longer approval',
      1,
    ),
    line(
      'G6',
      'a client of the Agent Client Protocol answers for another user, or selects an option that was not offered',
      'the user is the one that the server authenticated; an unknown option decides nothing',
      2,
    ),
    line(
      'G7',
      'a client of the Agent Client Protocol approves a dangerous call or collects a secret',
      "`risk: 'high'`, secrets and accounts are answered on their page",
      1,
    ),
    line(
      'G8',
      'an agent of the Agent Client Protocol reuses an approval for another input, or opens a page by itself',
      'an approval is for the input that was shown; equal requests share one decision; pages need consent',
      3,
    ),
  ],
}
