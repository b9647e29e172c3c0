import { appendFileSync, readFileSync } from 'node:fs'
import type { InteractionRecord, Recipient, Surface } from '@holdpoint/server/surfaces'
import { linesOf } from './messages.ts'

/** A provider whose messages are lines of a file, so that they outlive each process that sends them. */
export function fileProvider({ log, life, finds, step }: Provider): Surface {
  const note = (...words: string[]) => appendFileSync(log, `${words.join(' ')}\n`)
  let sends = 0
  const surface: Surface<string> = {
    name: 'file',
    async present(_interaction, { deliveryId }) {
      step()
      const ref = `note-${life}-${++sends}`
      note('sent', deliveryId, ref)
      step()
      return ref
    },
    async update(ref, { outcome }) {
      step()
      note('updated', ref, `${outcome}`)
      step()
    },
    ...(finds && {
      async find(_interaction: InteractionRecord, { deliveryId }: Recipient) {
        step()
        const lines = linesOf(readFileSync(log, 'utf8'))
        return lines.find(([what, id]) => what === 'sent' && id === deliveryId)?.[2] ?? null
      },
    }),
  }
  return surface as Surface
}

interface Provider {
  log: string
  life: number
  finds: boolean
  /** Counts a step, at which the process may die. */
  step(): void
}
