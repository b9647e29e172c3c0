import type { InteractionRecord, Surface } from '@holdpoint/server/surfaces'

/** A provider that answers after some milliseconds and counts what it receives. */
export function countingProvider(latencyMs: number) {
  const counts = { sent: 0, updated: 0, running: 0, most: 0 }
  const seen = new Set<string>()
  const call = async () => {
    counts.running++
    counts.most = Math.max(counts.most, counts.running)
    await new Promise((resolve) => setTimeout(resolve, latencyMs))
    counts.running--
  }
  const surface: Surface<string> = {
    name: 'counting',
    async present({ interactionId }: InteractionRecord) {
      await call()
      counts.sent++
      seen.add(interactionId)
      return interactionId
    },
    async update() {
      await call()
      counts.updated++
    },
  }
  return { surface: surface as Surface, counts, recipients: () => seen.size }
}
