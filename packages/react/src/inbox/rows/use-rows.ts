import { type HoldpointClient, isOpen, type SessionState, type Transport } from '@holdpoint/core'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { HoldpointSettings } from '../../settings/context.ts'
import { usePageWords } from '../../settings/use-page-words.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { visible } from '../../wording/escape.ts'
import { toolNameOf } from '../../wording/names.ts'
import { gistOf, questionOf } from '../../wording/question-text.ts'
import { createPool, type Pool } from './pool.ts'
import { type Item, idOf, keyOf, type Row } from './rows.ts'

export interface RowsOptions {
  items: readonly Item[]
  /** Settled questions of the server's history. */
  settled: readonly Item[] | undefined
  transport: Transport
  chatOf: ((item: Item) => string) | undefined
}

/**
 * Returns the rows of all open questions, of those that were open since the page was opened, and of the history. A settled question
 * keeps its row, so that nothing moves under the pointer.
 */
export function useRows({ items, settled, transport, chatOf }: RowsOptions): readonly Row[] {
  const { clock, client: own, messages, tools, integrations } = useSettings()
  const words = usePageWords()
  const [pool] = useState<Pool>(() => createPool(transport, clock.now))
  const version = useSyncExternalStore(pool.subscribe, pool.getVersion, pool.getVersion)
  useEffect(() => pool.settleMissing(items), [pool, items])
  const live = useLiveSession(own)
  return useMemo(() => {
    // Can be repeated: the pool keeps questions that it has already.
    pool.take(items)
    if (settled) pool.takeSettled(settled)
    const waiting = new Set(items.map(keyOf))
    return pool.items().flatMap((item): Row[] => {
      const key = keyOf(item)
      const found = pool.find(key)
      if (!found) return []
      // The session of the page receives events, so it knows an end before the inbox is read again.
      const ended = live?.sessionId === item.sessionId ? live.interactions.get(idOf(item)) : undefined
      const isKnown = ended && !isOpen(ended) && isOpen(found.interaction)
      const { interaction, client } = isKnown ? { interaction: ended, client: own ?? found.client } : found
      const request = questionOf(interaction)
      return [
        {
          ...{ key, item, interaction, client, sessionId: item.sessionId, id: interaction.interactionId },
          async stop() {
            const { runId } = interaction
            if (runId === undefined) return
            await client.cancelRun(runId)
            pool.stopped(item.sessionId, runId)
          },
          text: gistOf(interaction, messages, { tools, integrations }),
          agent: visible(request?.requester?.name ?? words.unknownAgent),
          chat: visible(chatOf?.(item) ?? item.sessionId),
          tool: toolNameOf(interaction.toolName, { tools }),
          askedAt: Date.parse(interaction.request.timestamp),
          dueAt: interaction.deferred ? Number.NaN : interaction.expiresAt,
          risk: riskOf(request?.risk),
          isSettled: !waiting.has(key) || !isOpen(interaction),
          isMissing: pool.isMissing(key),
          isPast: pool.isPast(key),
        },
      ]
    })
    // `version` changes whenever a client of the pool changes.
  }, [items, settled, pool, version, live, own, messages, tools, integrations, chatOf, words])
}

/** The state of the session of the page, if the page has one. */
function useLiveSession(client: HoldpointClient | null): SessionState | undefined {
  const subscribe = useCallback((changed: () => void) => client?.subscribe(changed, 'pending') ?? (() => {}), [client])
  return useSyncExternalStore(
    subscribe,
    () => client?.getSnapshot(),
    () => client?.getServerSnapshot(),
  )
}

const riskOf = (risk: string | undefined): Row['risk'] =>
  risk === 'high' || risk === 'medium' || risk === 'low' ? risk : undefined

/** The settings of the provider with the client of a row's session. */
export function useSettingsOf({ client }: Row): HoldpointSettings {
  const settings = useSettings()
  return useMemo(() => ({ ...settings, client }), [settings, client])
}
