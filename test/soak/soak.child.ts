import { runSoak, type SoakOptions, type SoakReport } from '../../bench/soak/run-soak.ts'

export type Setup = Omit<SoakOptions, 'log'>
export type Ended = Pick<SoakReport, 'violations' | 'counts'> & { logged: string[] }

// Removes its network namespaces when the test gives up, or its process dies.
for (const end of ['SIGTERM', 'disconnect'] as const) process.once(end, () => process.exit(1))

const logged: string[] = []
const { violations, counts } = await runSoak({
  ...(JSON.parse(process.argv[2] ?? '') as Setup),
  log: (line) => logged.push(line),
})
process.send?.({ violations, counts, logged } satisfies Ended)
