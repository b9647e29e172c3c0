import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { report, versionOf } from '../support/report.ts'
import type { Peer, Result } from '../support/result.ts'
import { digits } from '../support/statistics.ts'
import { type Bundle, bundle } from './size/bundle.ts'
import { installOthers } from './size/install-others.ts'

/**
 * What a page loads, React not counted: one file for everybody in `size/` and `size/others/` with what it imports, bundled with the same
 * settings. They do not do the same: chat hooks carry a whole conversation, Holdpoint what waits for a person.
 */
const TARGETS = { 'holdpoint-hooks.ts': 15, 'holdpoint-components.ts': 40 } as const
const OURS = {
  client: ['holdpoint-client.ts', 'the client'],
  hooks: ['holdpoint-hooks.ts', 'the client and the hooks'],
  components: ['holdpoint-components.ts', 'the client, the hooks and all three cards'],
} as const
const HOOKS = {
  'ai-sdk-react.js': ['@ai-sdk/react', 'useChat'],
  'assistant-ui-runtime.js': ['@assistant-ui/react', 'runtime'],
  'copilotkit-headless.js': ['@copilotkit/react-core', 'headless'],
  'ag-ui-client.js': ['@ag-ui/client', 'HttpAgent'],
} as const
const DRAWN = {
  'assistant-ui-thread.js': ['@assistant-ui/react', 'with the parts of a chat'],
  'copilotkit-chat.js': ['@copilotkit/react-core', 'with its chat'],
} as const

const rows: object[] = []
const others = installOthers()
const versionThere = (name: string): string =>
  JSON.parse(readFileSync(join(others, 'node_modules', name, 'package.json'), 'utf8')).version
async function measured(file: string, name: string, version: string): Promise<Bundle> {
  const size = await bundle(file)
  rows.push({ name, version, 'kB at once': digits(size.first), 'kB in all': digits(size.all) })
  return size
}
async function peersOf(files: Readonly<Record<string, readonly [string, string]>>): Promise<Peer[]> {
  const peers: Peer[] = []
  for (const [file, [name, what]] of Object.entries(files)) {
    const version = versionThere(name)
    peers.push({
      name: `${name}, ${what}`,
      version,
      value: (await measured(join(others, file), `${name}, ${what}`, version)).first,
    })
  }
  return peers
}

const results: Result[] = []
const peers = { hooks: await peersOf(HOOKS), drawn: await peersOf(DRAWN) }
for (const [id, [file, what]] of Object.entries(OURS)) {
  const { first, imports } = await measured(join(import.meta.dirname, 'size', file), `Holdpoint, ${what}`, '')
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
