import { existsSync, readFileSync } from 'node:fs'

/** @param {string} file the names that a built entry exports; none while it is not built */
const exportsOf = (file) => {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return text.slice(text.lastIndexOf('export {')).match(/\b\w+(?=\s*[,}])/g) ?? []
}

/** @param {string} file does it export all these names yet? */
const has = (file, ...names) => names.every((name) => exportsOf(file).includes(name))

const core = 'packages/core/dist/index.js'
const react = 'packages/react/dist/index.js'
const hooks = exportsOf(react).filter((name) => /^use[A-Z]/.test(name))
const cards = ['AuthRequestCard', 'ApprovalDialog', 'InputForm']
const outside = ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client']

/**
 * Sizes are minified and gzipped; size-limit bundles with Rolldown, and React is the app's own. Each limit is what was
 * measured, so that a change that grows a bundle shows. The targets are 9 kB for the client and 40 kB for the cards.
 */
const limits = [
  {
    // The stream that tabs share counts as well: 2.4 kB that a browser loads when the client connects.
    // Its parts are listed in packages/core/README.md, held by packages/core/test/size.test.ts.
    name: 'core: the client with server-sent events',
    path: core,
    import: '{ createHoldpointClient, sse }',
    limit: '15.9 kB',
    ready: has(core, 'createHoldpointClient', 'sse'),
  },
  {
    name: 'react: the client, the provider and all hooks',
    path: react,
    import: { [core]: '{ createHoldpointClient, sse }', [react]: `{ ${['HoldpointProvider', ...hooks].join(', ')} }` },
    ignore: outside,
    limit: '23.2 kB',
    ready: has(react, 'HoldpointProvider', 'useInteraction'),
  },
  {
    name: 'react: the client, the provider and all three cards',
    path: react,
    import: { [core]: '{ createHoldpointClient, sse }', [react]: `{ ${['HoldpointProvider', ...cards].join(', ')} }` },
    ignore: outside,
    // The larger view counts as well: 3 kB that are loaded when a person opens it.
    limit: '58.2 kB',
    ready: has(react, ...cards),
  },
]
const ready = limits.filter((limit) => limit.ready)

export default ready.length > 0
  ? ready.map(({ ready: _, ...limit }) => ({ ...limit, gzip: true }))
  : [{ name: 'core: the whole entry, of which no limit is set yet', path: core, gzip: true }]
