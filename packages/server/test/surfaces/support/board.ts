import type { SeenMessage, SurfaceWorld } from '@holdpoint/conformance/surface'
import type { InteractionRecord, Recipient, Surface } from '@holdpoint/server/surfaces'
import { outcomeLine } from '../../../src/surfaces/words.ts'

interface Note extends SeenMessage {
  deliveryId: string
}

/** A surface in memory: the least that a provider must be able to do. */
export function boardWorld({ finds = true }: { finds?: boolean } = {}): SurfaceWorld & { notes: Map<string, Note> } {
  const notes = new Map<string, Note>()
  let calls = 0
  let isDown = false
  let limit = 0
  const call = async () => {
    calls++
    await new Promise((resolve) => setImmediate(resolve))
    if (isDown) throw new Error('The board is down.')
    if (limit > 0) {
      const retryAfterMs = limit * 1_000
      limit = 0
      throw Object.assign(new Error('Too many notes.'), { retryAfterMs })
    }
  }
  const escaped = (text: string) => text.replace(/[<>]/g, '')
  const textOf = ({ request }: InteractionRecord) => ('prompt' in request ? escaped(String(request.prompt ?? '')) : '')
  const surface: Surface<string> = {
    name: 'board',
    async present(interaction, { userId, deliveryId, reminder, previous }) {
      await call()
      const old = typeof previous === 'string' ? notes.get(previous) : undefined
      if (old && typeof previous === 'string' && reminder > 0) {
        old.reminders++
        return previous
      }
      const id = `note-${notes.size + 1}`
      notes.set(id, { userId, sends: 1, reminders: 0, text: textOf(interaction), deliveryId })
      return id
    },
    async update(ref: string, interaction: InteractionRecord, recipient: Recipient) {
      await call()
      const note = notes.get(ref)
      if (note) note.outcome = outcomeLine(interaction, recipient)
    },
    ...(finds && {
      async find(_interaction: InteractionRecord, { deliveryId }: Recipient) {
        await call()
        return [...notes].find(([, note]) => note.deliveryId === deliveryId)?.[0] ?? null
      },
    }),
  }
  return {
    surface: surface as Surface,
    notes,
    messages: () => [...notes.values()],
    provider: {
      down() {
        isDown = true
      },
      up() {
        isDown = false
      },
      limitOnce(seconds) {
        limit = seconds
      },
      calls: () => calls,
    },
  }
}
