/**
 * Which folder may import which. `npx -y pnpm@12 folders` and `check` run these rules through scripts/folders.ts, which
 * also forbids cycles of folders: the folder rule of dependency-cruiser misses cycles between a folder and one inside it.
 */
export default {
  forbidden: [
    {
      name: 'imports-lead-to-files',
      severity: 'error',
      from: {},
      // Style sheets and `?raw` are read by the bundler.
      to: { couldNotResolve: true, pathNot: '\\.css$|\\?' },
    },
    {
      name: 'core-knows-no-react',
      severity: 'error',
      from: { path: '^packages/core/' },
      to: { path: '^packages/react/|/node_modules/(react|react-dom|radix-ui)/|^(react|react-dom|radix-ui)(/|$)' },
    },
    {
      name: 'core-knows-node-in-its-node-folders-only',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '^packages/core/src/(node|cli)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'decisions-know-no-network',
      comment: 'The machine, the forms and the wire are pure.',
      severity: 'error',
      from: { path: '^packages/core/src/(machine|forms|wire|protocol|json|text)/' },
      to: {
        path: '^packages/[^/]+/src/',
        pathNot: '^packages/core/src/((machine|forms|wire|protocol|json|text)/|error.ts$)',
      },
    },
    {
      name: 'engine-and-stores-know-no-caller',
      severity: 'error',
      from: { path: '^packages/server/src/(base|engine|store)/' },
      to: { path: '^packages/server/src/(http|channels|frameworks|bridges|remote|testing)/' },
    },
    {
      name: 'rows-stay-inside-the-engine',
      comment:
        'Bridges, surfaces and remote agents read by `engine.reads`. The files at the root put the packages together.',
      severity: 'error',
      from: { path: '^packages/server/src/[^/]+/', pathNot: '^packages/server/src/(engine|development)/' },
      to: { path: '^packages/server/src/engine/(records|state|kernel)/' },
    },
    {
      name: 'published-code-knows-no-conformance-suite',
      severity: 'error',
      from: { path: '^packages/(core|react|server)/' },
      to: { path: '^packages/conformance/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '\\.test\\.tsx?$|\\.stories\\.tsx$|/dist/' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['holdpoint-source', 'types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
}
