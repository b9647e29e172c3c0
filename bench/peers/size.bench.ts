import { report, versionOf } from '../support/report.ts'
import type { Peer, Result } from '../support/result.ts'
import { digits } from '../support/statistics.ts'
import { type Bundle, bundle } from './size/bundle.ts'

/**
 * What a page loads, React not counted: one file for everybody in `size/` with what it imports, bundled with the same
 * settings. They do not do the same: chat hooks carry a whole conversation, Holdpoint what waits for a person.
 */
const TARGETS = { 'holdpoint-hooks.ts': 15, 'holdpoint-components.ts': 40 } as const
const OURS = {
  client: ['holdpoint-client.ts', 'the client'],
  hooks: ['holdpoint-hooks.ts', 'the client and the hooks'],
  components: ['holdpoint-components.ts', 'the client, the hooks and all three cards'],
} as const
const HOOKS = {
  'ai-sdk-react.ts': ['@ai-sdk/react', 'useChat'],
  'assistant-ui-runtime.ts': ['@assistant-ui/react', 'runtime'],
  'copilotkit-headless.ts': ['@copilotkit/react-core', 'headless'],
  'ag-ui-client.ts': ['@ag-ui/client', 'HttpAgent'],
} as const
const DRAWN = {
  'assistant-ui-thread.ts': ['@assistant-ui/react', 'with the parts of a chat'],
  'copilotkit-chat.ts': ['@copilotkit/react-core', 'with its chat'],
} as const

const rows: object[] = []
async function measured(file: string, name: string, version: string): Promise<Bundle> {
  const size = await bundle(file)
  rows.push({ name, version, 'kB at once': digits(size.first), 'kB in all': digits(size.all) })
  return size
}
async function others(files: Readonly<Record<string, readonly [string, string]>>): Promise<Peer[]> {
  const peers: Peer[] = []
  for (const [file, [name, what]] of Object.entries(files)) {
    const version = versionOf(name)
    peers.push({ name: `${name}, ${what}`, version, value: (await measured(file, `${name}, ${what}`, version)).first })
  }
  return peers
}

const results: Result[] = []
const peers = { hooks: await others(HOOKS), drawn: await others(DRAWN) }
for (const [id, [file, what]] of Object.entries(OURS)) {
  const { first, imports } = await measured(file, `Holdpoint, ${what}`, '')
  results.push({
    id,
    scenario: `a page with ${what}`,
    figure: 'loaded at once, minified and gzipped, without React',
    unit: 'kB',
    better: 'lower',
    value: first,
    ...(file in TARGETS && {
      target: TARGETS[file as keyof typeof TARGETS],
      why: `${digits(imports)} kB of it are import lines of React, which esbuild does not merge where React is left outside; with Rolldown, Vite's bundler, \`npx size-limit\` measures less than the target`,
    }),
    peers: id === 'components' ? peers.drawn : peers.hooks,
  })
}
report({
  about: `esbuild ${versionOf('esbuild')}, the same settings for all`,
  results,
  rows: {
    'minified and gzipped, without React': rows,
    'left out': [
      {
        name: '@assistant-ui/react, later than 0.15.21',
        why: 'it needs versions of its own packages that the registry did not have in November 2026',
      },
    ],
  },
})
