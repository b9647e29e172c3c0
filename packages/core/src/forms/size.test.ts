import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('a browser that imports validateInput loads at most 4.2 kB, and no zod', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { validateInput } from './index.ts'; globalThis.validate = validateInput`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  expect(Object.keys(metafile.inputs).filter((path) => path.includes('zod'))).toEqual([])
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength).toBeLessThanOrEqual(4_200)
})
