import type { AskResponse } from '@holdpoint/core/accounts'
import type { Command, CommandInput } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** One question; with `--confirm` what will be done is shown first; with `--chat` turn by turn. */
export const ask: Command = async (input) => {
  const { accounts, screen, signal, options } = input
  if (options.chat) return chat(input)
  screen.progress('Asking …')
  const reply = await accounts.ask(options.subject, { confirm: options.confirm, signal })
  if (reply.status !== 'confirmation_required') return answered(input, reply)
  const { confirmationToken: token, message } = reply
  if (options.answer !== undefined) return decide(input, token, options.answer)
  if (!screen.interactive) {
    const how = `errand confirm ${token} --yes`
    screen.result({ command: 'ask', status: reply.status, message, token }, `${message}\nTo do it: ${how}`)
    return exitCodes.confirmationRequired
  }
  screen.step('confirm', { message }, message)
  const yes = /^y(es)?$/i.test((await screen.ask('Do it? [y/N] ')).trim())
  return decide(input, token, yes)
}

/** The answer to what an earlier `ask --confirm` left open. */
export const confirm: Command = async (input) => {
  const { screen, options } = input
  const { subject: token, answer } = options
  if (answer !== undefined) return decide(input, token, answer)
  if (!screen.interactive) {
    screen.failure('answer_missing', 'Pass --yes or --no: the program cannot ask without a terminal.')
    return exitCodes.usage
  }
  return decide(input, token, /^y(es)?$/i.test((await screen.ask('Do it? [y/N] ')).trim()))
}

async function decide(input: CommandInput, token: string, yes: boolean): Promise<number> {
  input.screen.progress(yes ? 'Doing it …' : 'Calling it off …')
  const reply = await input.accounts.confirm(token, yes, { signal: input.signal })
  answered(input, reply, yes ? 'confirm' : 'refuse')
  return yes ? exitCodes.done : exitCodes.refused
}

async function chat({ accounts, screen, signal, options: { subject } }: CommandInput): Promise<number> {
  const conversation = accounts.conversation()
  const turn = async (text: string) => {
    screen.progress('Thinking …')
    const { message, data } = await conversation.ask(text, { signal })
    screen.result({ command: 'chat', message, ...(data === undefined ? {} : { data }) }, message)
  }
  if (subject) await turn(subject)
  for await (const line of screen.lines('> ')) await turn(line)
  return exitCodes.done
}

function answered({ screen }: CommandInput, { status, message, data }: AskResponse, command = 'ask'): number {
  screen.result({ command, status, message, ...(data === undefined ? {} : { data }) }, message)
  return exitCodes.done
}
