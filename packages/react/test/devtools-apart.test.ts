import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { SOURCE } from '../../../scripts/published.ts'

/** The files of this package that an app loads when it imports this, later parts included. */
async function loaded(door: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export * from '${door}'`, resolveDir: import.meta.dirname },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    conditions: [SOURCE],
    external: ['react', 'react-dom', '@tanstack/*', 'ai', '@ai-sdk/*'],
    absWorkingDir: join(import.meta.dirname, '..'),
    logLevel: 'silent',
  })
  return Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'))
}

test.each(['@holdpoint/react', '@holdpoint/react/ai-sdk', '@holdpoint/react/query'])(
  '%s contains nothing of the devtools',
  async (door) => {
    const files = await loaded(door)
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => file.includes('devtools'))).toEqual([])
  },
)

test('the devtools are only in their own sub-path', async () => {
  expect(await loaded('@holdpoint/react/devtools')).toContain('src/devtools/panel.tsx')
})
