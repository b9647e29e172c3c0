import { type Holdpoint, InteractionRefused, type Session, type ToolRun } from '@holdpoint/server'
import type { makeTools } from './tools.ts'

type Tools = ReturnType<typeof makeTools>

/**
 * A scripted agent: fixed words lead to fixed tools, so that readers and tests can rely on it. Where it says
 * `session.runTool`, the loop around your model does.
 */
export function makeAgent(holdpoint: Holdpoint, tools: Tools) {
  const plans: Plan[] = [
    {
      word: 'delete',
      opening: 'Three drafts look abandoned.',
      start: (session, call) =>
        session.runTool(tools.deleteFiles, { files: ['drafts/a.md', 'drafts/b.md', 'notes/old.txt'] }, call),
    },
    {
      word: 'survey',
      opening: 'I have three short questions.',
      start: (session, call) => session.runTool(tools.askUser, { topic: 'week' }, call),
    },
    {
      word: 'email',
      opening: 'I can send it right away.',
      start: (session, call) => session.runTool(tools.sendEmail, { subject: 'Weekly summary' }, call),
    },
    {
      word: 'slack',
      opening: 'I will post the summary to Slack.',
      start: (session, call) => session.runTool(tools.postToSlack, { text: 'This week: 14 merged.' }, call),
    },
    {
      word: 'report',
      opening: 'The report needs what is in Slack and in Gmail.',
      start: (session, call) => session.runTool(tools.writeReport, {}, call),
    },
    {
      word: 'deploy',
      opening: 'Deploying to staging first.',
      start: (session, call) => session.runTool(tools.deploy, { service: 'web' }, call),
    },
    {
      word: 'later',
      opening: 'One thing only you can decide.',
      start: (session, call) => session.runTool(tools.askLater, {}, call),
    },
  ]

  /**
   * Begins a turn. Rejects for a session of another user, before anything is written. The log contains the result. A
   * page sends a message again until it is acknowledged: one id begins one turn.
   */
  async function turn({ sessionId, userId, id, message }: Message): Promise<void> {
    const session = holdpoint.session(sessionId, { userId })
    const runId = `run-${id}`
    let isNew = false
    await session.toolCall({ runId, toolCallId: 'begin', toolName: 'begin' }).once('begin', async () => {
      // Supersedes what an earlier turn waits for, and what its tools ask later.
      await session.turn({ runId, message })
      isNew = true
    })
    // Not awaited: a turn may take a day, and end in another process: see `finish`.
    if (isNew) void goOn(session, runId, message).catch((error: Error) => console.error(error))
  }

  async function goOn(session: Session, runId: string, message: string): Promise<void> {
    const found = plans.find(({ word }) => message.toLowerCase().includes(word))
    if (!found) return await say(session, runId, help)
    await session.emit({ type: 'content', runId, text: found.opening })
    try {
      const ran = await found.start(session, { runId, toolCallId: `call-${crypto.randomUUID()}` })
      if (ran.status === 'completed') await finish(session, runId, ran.result)
    } catch (error) {
      await finish(session, runId, error instanceof InteractionRefused ? { refused: error.outcome } : { failed: true })
    }
  }

  /** The agent's last word, also for results that came after a restart (`onToolResult`). */
  async function finish(session: Session, runId: string, result: unknown): Promise<void> {
    await say(session, runId, sentence(result))
  }

  return { turn, finish }
}

export interface Message {
  sessionId: string
  userId: string
  id: string
  message: string
}

interface Plan {
  word: string
  opening: string
  start(session: Session, call: { runId: string; toolCallId: string }): Promise<ToolRun<unknown>>
}

async function say(session: Session, runId: string, text: string): Promise<void> {
  await session.emit({ type: 'content', runId, text })
  await session.emit({ type: 'done', runId })
}

const help =
  'I am a scripted agent. Say “delete”, “survey”, “email”, “slack”, “report”, “deploy” or “later”, and I will stop and ask you.'

const refusals: Readonly<Record<string, string>> = {
  denied: 'Understood. Nothing was changed.',
  declined: 'Fine, I continue without it.',
  cancelled: 'Stopped.',
  expired: 'The question expired, so nothing was done.',
  superseded: 'You continued without answering, so nothing was done.',
}

/** Returns the text that a model would write about a tool's result. */
function sentence(result: unknown): string {
  const facts = (typeof result === 'object' && result !== null ? result : {}) as Record<string, unknown>
  if (typeof facts.refused === 'string') return refusals[facts.refused] ?? 'That did not work out.'
  if (facts.failed) return 'The tool failed. I have made a note of it.'
  if (Array.isArray(facts.deleted))
    return `Done: ${facts.deleted.length} files deleted${facts.edited ? ', as you changed it' : ''}.`
  if (facts.mood) return `Thank you. A ${facts.mood} week with ${facts.hours} hours of deep work.`
  if (facts.sent === true) return `Sent to ${facts.to}.`
  if (facts.sent === false) return 'I did not send it.'
  if (facts.posted === true) return `Posted to ${facts.channel}.`
  if (Array.isArray(facts.read)) return `The report is written, from ${facts.read.join(' and ')}.`
  if (facts.image) return facts.production ? `${facts.image} is in production.` : `${facts.image} stays in staging.`
  if (facts.queued) return 'I continue with the rest. Answer whenever you like.'
  if ('colour' in facts)
    return facts.colour ? `The launch page will be ${facts.colour}.` : 'I will pick a color myself.'
  return 'Done.'
}
