import type { HoldpointClient } from '@holdpoint/core'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { recordSession } from './record/record-session.ts'
import type { SessionRecorder, SessionRecording } from './record/types.ts'
import { watchShown } from './record/watch-shown.ts'

/** Records the clients for as long as the component is mounted. */
export function useRecorders(clients: readonly HoldpointClient[], now: () => number): readonly SessionRecorder[] {
  const [recorders, setRecorders] = useState<readonly SessionRecorder[]>([])
  const key = clients.map(({ sessionId, clientId }) => `${sessionId} ${clientId}`).join('\n')
  // A new list with the same clients is no change.
  const kept = useMemo(() => clients, [key])
  useEffect(() => {
    const started = kept.map((client) => recordSession(client, { now }))
    setRecorders(started)
    const stop = watchShown(document, (id) => {
      for (const { client, shown } of started) if (client.getSnapshot().interactions.has(id)) shown(id)
    })
    return () => {
      stop()
      for (const recorder of started) recorder.stop()
    }
  }, [kept, now])
  return recorders
}

export function useRecording(recorder: SessionRecorder): SessionRecording {
  return useSyncExternalStore(recorder.subscribe, recorder.getSnapshot, recorder.getSnapshot)
}
