'use client'

import { HoldpointProvider, InteractionView, useInteractions } from '@holdpoint/react'
import { useQuery } from '@tanstack/react-query'
import type { Results } from '@/lib/bridges/index.ts'
import { type BridgeName, bridges, type QuestionName, questions, sessionOf } from '@/lib/bridges/names.ts'
import type { Texts } from '@/lib/bridges/turn.ts'
import { useSession } from '../use-session.ts'

/** A column for each framework, with its cards and the results that its model read. */
export function BridgesTable({ page }: { page: string }) {
  const { data: results = {} } = useQuery({
    queryKey: ['bridges', page],
    queryFn: async (): Promise<Results> => (await fetch(`/api/bridges?page=${page}`)).json(),
    refetchInterval: 1_000,
  })
  const shared = useSession(page)
  const langchain = useSession(sessionOf(page, 'langchain'))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only what they can focus
    <section className="bridge-columns" tabIndex={0} aria-label="Questions by framework">
      {/* The outer provider has no session: it announces the questions of all columns together. */}
      <HoldpointProvider>
        {(Object.keys(bridges) as BridgeName[]).map((bridge) => (
          <HoldpointProvider key={bridge} client={bridge === 'langchain' ? langchain : shared}>
            <Column bridge={bridge} results={results[bridge] ?? {}} />
          </HoldpointProvider>
        ))}
      </HoldpointProvider>
    </section>
  )
}

function Column({ bridge, results }: { bridge: BridgeName; results: Texts }) {
  const interactions = useInteractions()
  return (
    <section className="bridge" aria-label={bridges[bridge]}>
      <h2>{bridges[bridge]}</h2>
      {(Object.keys(questions) as QuestionName[]).map((question) => {
        const asked = interactions.filter((one) => one.toolName === question && bridgeOf(one.toolCallId) === bridge)
        const interaction = asked.at(-1)
        return (
          <div key={question} className="bridge-question">
            <h3>{questions[question]}</h3>
            {interaction ? <InteractionView interaction={interaction} /> : <p className="muted">Asking…</p>}
            {results[question] !== undefined && <output>The model reads: {results[question]}</output>}
          </div>
        )
      })}
    </section>
  )
}

/** Calls are named after their bridge. MCP has no ids for calls: the server makes them. */
function bridgeOf(toolCallId: string | undefined): BridgeName {
  return (Object.keys(bridges) as BridgeName[]).find((name) => toolCallId?.startsWith(`${name}.`)) ?? 'mcp'
}
