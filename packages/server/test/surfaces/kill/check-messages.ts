import { expect } from 'vitest'
import { linesOf } from './messages.ts'

/** The requirements for a log of lives and their provider, with counts of what happened. */
export function checkMessages(text: string, { finds }: { finds: boolean }) {
  const lines = linesOf(text)
  const of = (kind: string) => lines.filter(([what]) => what === kind)
  const sends = new Map<string, number>()
  const stored = new Set<string>()
  let repeats = 0
  for (const [what, id = ''] of lines) {
    if (what === 'stored') stored.add(id)
    if (what !== 'sent') continue
    // The window is open until the reference is stored. After that, a message is never sent again.
    const message = id.slice(0, id.lastIndexOf('/'))
    expect(stored.has(message), `${id} was sent after its reference was stored`).toBe(false)
    sends.set(message, (sends.get(message) ?? 0) + 1)
    if ((sends.get(message) ?? 0) > 1) repeats++
  }
  if (finds) expect(repeats, 'messages that a provider which finds them got twice').toBe(0)
  const windows = deathsInWindow(lines)
  expect(repeats, 'each repeat follows a death in the window').toBeLessThanOrEqual(windows)

  const accepted = new Map<string, string>()
  for (const [, id = '', action = ''] of of('accepted')) {
    expect(accepted.get(id) ?? action, `the winner of ${id}`).toBe(action)
    accepted.set(id, action)
  }
  const updated = new Map(of('updated').map(([, ref = '', outcome = '']) => [ref, outcome]))
  for (const [, id = '', status = '', outcome = '', action = ''] of of('question')) {
    const own = of('sent').filter(([, deliveryId]) => deliveryId?.startsWith(`${id}/`))
    // A message that was sent in the window cannot be changed if the provider does not find it.
    const isKnown = finds || [...stored].some((message) => message.startsWith(`${id}/`))
    if (status === 'open') expect(own.length, `messages of the open question ${id}`).toBeGreaterThan(0)
    else if (own.length > 0 && isKnown)
      expect(
        own.map(([, , ref = '']) => updated.get(ref)),
        `the outcome of ${id}`,
      ).toContain(outcome)
    if (accepted.has(id)) expect(action, `the answer to ${id}`).toBe(accepted.get(id))
  }
  return {
    deaths: of('died').length,
    atSteps: of('died').filter(([, , why]) => !why?.startsWith('late-')).length,
    questions: of('question').length,
    messages: sends.size,
    ...{
      repeats,
      windows,
      accepted: accepted.size,
      updates: updated.size,
      errors: of('error').map(([, what]) => what),
    },
  }
}

/** Deaths of lives that had sent a message whose reference they had not stored. */
function deathsInWindow(lines: readonly string[][]): number {
  const open = new Set<string>()
  let deaths = 0
  for (const [what, id = ''] of lines) {
    if (what === 'sent') open.add(id.slice(0, id.lastIndexOf('/')))
    if (what === 'stored') open.delete(id)
    if (what !== 'died') continue
    deaths += open.size
    open.clear()
  }
  return deaths
}
