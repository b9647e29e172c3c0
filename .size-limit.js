import { existsSync, readFileSync } from 'node:fs'

/** @param {string} file the names that a built entry exports; none while it is not built */
const exportsOf = (file) => {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return text.slice(text.lastIndexOf('export {')).match(/\b\w+(?=\s*[,}])/g) ?? []
}

/** @param {string} file does it export all these names yet? */
const has = (file, ...names) => names.every((name) => exportsOf(file).includes(name))

const settings = 'packages/react/dist/settings-page/index.js'
const core = 'packages/core/dist/index.js'
const react = 'packages/react/dist/index.js'
const hooks = exportsOf(react).filter((name) => /^use[A-Z]/.test(name))
const cards = ['AuthRequestCard', 'ApprovalDialog', 'InputForm']
const previews = 'packages/react/dist/previews/index.js'
const previewNames = exportsOf(previews).filter((name) => name.endsWith('Preview') && name !== 'definePreview')
const outside = ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client']

/**
 * Sizes are minified and gzipped; size-limit bundles with Rolldown, and React is the app's own. What an app loads later
 * counts as well; packages/react/test/size.test.ts measures what it loads first. Each limit is what was
 * measured, so that a change that grows a bundle shows. The targets for
 * what is loaded first are 10.5, 15 and 38 kB.
 */
const limits = [
  {
    // The stream that tabs share counts as well: 2.1 kB that a browser loads when the client connects.
    // Its parts are listed in packages/core/README.md, held by packages/core/test/size.test.ts.
    name: 'core: the client with server-sent events',
    path: core,
    import: '{ createHoldpointClient, sse }',
    limit: '16.4 kB',
    ready: has(core, 'createHoldpointClient', 'sse'),
  },
  {
    name: 'react: the client, the provider and all hooks',
    path: react,
    import: { [core]: '{ createHoldpointClient, sse }', [react]: `{ ${['HoldpointProvider', ...hooks].join(', ')} }` },
    ignore: outside,
    limit: '25.7 kB',
    ready: has(react, 'HoldpointProvider', 'useInteraction'),
  },
  {
    // Each preview is loaded with its first question; its labels come with it.
    name: 'react: registering all previews',
    path: previews,
    import: `{ ${previewNames.join(', ')} }`,
    ignore: [...outside, '@holdpoint/core'],
    limit: '9.6 kB',
    ready: previewNames.length > 0,
  },
  {
    name: 'react: the client, the provider and all three cards',
    path: react,
    import: { [core]: '{ createHoldpointClient, sse }', [react]: `{ ${['HoldpointProvider', ...cards].join(', ')} }` },
    ignore: outside,
    // Of this, an app loads 19 kB later: the larger view (10 kB, most of it Radix Dialog), the diff viewer, rare fields, and the
    // window of an account provider.
    limit: '78.4 kB',
    ready: has(react, ...cards),
  },
  {
    name: 'react: the inbox, with the client, the provider and all cards',
    path: react,
    import: { [core]: '{ createHoldpointClient, sse }', [react]: '{ HoldpointProvider, Inbox }' },
    ignore: outside,
    // The cards, which are a chunk of their own here, 5 kB of the virtual list, and the inbox itself.
    limit: '99.1 kB',
    ready: has(react, 'Inbox'),
  },
  {
    name: 'react: the settings page alone',
    path: settings,
    import: '{ RememberedApprovals, ToolSettings, ConnectedAccounts }',
    ignore: [...outside, '@tanstack/react-query'],
    limit: '12 kB',
    ready: has(settings, 'RememberedApprovals'),
  },
]
const ready = limits.filter((limit) => limit.ready)

export default ready.length > 0
  ? ready.map(({ ready: _, ...limit }) => ({ ...limit, gzip: true }))
  : [{ name: 'core: the whole entry, of which no limit is set yet', path: core, gzip: true }]
