import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import { answerInTerminal } from '@holdpoint/core/node'
import type { Holdpoint } from '@holdpoint/server'
import { localTransport } from '@holdpoint/server'
import { asRead, openClient, type SurfaceKind } from './surface.ts'

const PROMPT = '[y/s/a/n] '
const KEYS: Readonly<Record<string, string>> = { once: 'y', session: 's', always: 'a' }

/** A person at a terminal: what counts as shown is what was printed. */
export const terminal = (holdpoint: Holdpoint): SurfaceKind => ({
  open(userId) {
    const client = openClient(userId, localTransport(holdpoint, { userId }))
    const [input, output] = [new PassThrough(), new PassThrough()]
    const controller = new AbortController()
    let screen = ''
    output.on('data', (chunk) => {
      screen += chunk
    })
    const done = answerInTerminal({ client, input, output, signal: controller.signal })
    /** Takes what is printed up to these words, and forgets it. */
    const readTo = async (...words: string[]) => {
      for (;;) {
        const ends = words.flatMap((word) => (screen.includes(word) ? [screen.indexOf(word) + word.length] : []))
        const end = Math.min(...ends)
        if (ends.length > 0) {
          const read = screen.slice(0, end)
          screen = screen.slice(end)
          return read
        }
        await once(output, 'data')
      }
    }
    const type = async (line: string, ...until: string[]) => {
      input.write(`${line}\n`)
      return await readTo(...until)
    }
    return {
      can: ({ edits, rejects, stale }) => !edits && !rejects && !stale,
      async shows(not) {
        const question = await readTo(PROMPT)
        const { pendingIds, interactions } = client.getSnapshot()
        const request = interactions.get(pendingIds.find((one) => one !== not) ?? '')
          ?.request as InteractionRequestEvent
        const { draftArgs: _draft, ...rest } = request
        const json = await type('j', PROMPT)
        const draft = /This change was refused and will not run:\s+Amount: (-?\d+)/.exec(question)?.[1]
        const change = /\+(pay \d+)/.exec(question)?.[1]
        return {
          ...asRead(rest, { args: JSON.parse(json.slice(0, -PROMPT.length)), change }),
          ...(draft !== undefined && { draftArgs: { amount: Number(draft) } }),
        }
      },
      async press(_shown, { approvalScope }) {
        const said = await type(KEYS[approvalScope] ?? '', 'Approved.\n', 'Not accepted', 'has changed since')
        return said.endsWith('Approved.\n') ? 'accepted' : said
      },
      async close() {
        controller.abort()
        client.close()
        await done
      },
    }
  },
})
