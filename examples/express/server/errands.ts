import { isHoldpointError } from '@holdpoint/core'
import type { Principal } from '@holdpoint/server'
import type { AskHandler } from '@holdpoint/server/accounts'

/** The scripted agent behind `POST /ask`: what a model would answer to a program on the command line. */
export async function answerErrand(
  { principal, prompt, history, mode }: Parameters<AskHandler>[0],
  slackToken: (who: Principal) => Promise<string>,
  slackUrl: string,
): ReturnType<AskHandler> {
  if (mode === 'interactive') {
    const turn = history.length / 2 + 1
    const before = history.findLast(({ role }) => role === 'user')?.content
    return { message: before ? `You said “${before}” before. Turn ${turn}.` : 'Hello. What shall we do?' }
  }
  if (!/slack/i.test(prompt)) return { message: 'I can post to Slack: ask "Post hello to Slack", with --confirm.' }
  if (mode !== 'confirmed') return { message: 'I post nothing without a confirmation: ask again with --confirm.' }
  try {
    const response = await fetch(`${slackUrl}/api/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await slackToken(principal)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: '#general', text: prompt }),
    })
    return { message: response.ok ? 'Posted to #general.' : 'Slack did not take it.' }
  } catch (error) {
    if (!isHoldpointError(error, 'account_missing') && !isHoldpointError(error, 'account_expired')) throw error
    return { message: 'Slack is not connected. Connect it first.' }
  }
}
