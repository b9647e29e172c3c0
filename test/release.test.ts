import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { PUBLISHED, withAddresses } from '../scripts/addresses/manifest.ts'
import { run } from '../scripts/run.ts'
import { packOnce } from './strangers/shared.ts'
import type { Tarballs } from './strangers/stranger.ts'
import { ROOT } from './support/graph.ts'

const manifestOf = (name: string) => readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')
let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await packOnce()
}, 120_000)

const inside = async (name: (typeof PUBLISHED)[number], args: string[]) =>
  (await run('tar', [...args, '-zf', tarballs[name]], { quiet: true })).output

describe.each(PUBLISHED)('@holdpoint/%s, as it would be published', (name) => {
  test('names the same addresses as the root of the workspace', () => {
    const manifest = manifestOf(name)
    expect(JSON.parse(manifest), 'run `npx -y pnpm@12 addresses`').toEqual(withAddresses(name, manifest))
  })

  test('contains what a registry shows, and nothing of the workspace', async () => {
    const text = (await inside(name, ['-xO', 'package/package.json'])) as string
    const manifest = JSON.parse(text)
    expect(text).not.toMatch(/workspace:|holdpoint-source|devDependencies|"scripts"/)
    expect(manifest).toMatchObject({
      license: 'MIT',
      author: expect.any(String),
      description: expect.stringMatching(/^.{40,220}$/),
      keywords: expect.arrayContaining(['agent', 'human-in-the-loop']),
      homepage: expect.stringMatching(/^https:\/\//),
      bugs: expect.anything(),
      repository: { type: 'git', directory: `packages/${name}` },
      publishConfig: { access: 'public', provenance: true },
    })
    const { version } = JSON.parse(manifestOf('core'))
    if (name !== 'core') expect(manifest.dependencies['@holdpoint/core']).toBe(`^${version}`)
  })

  test('includes its readme and its license', async () => {
    const files = (await inside(name, ['-t'])).split('\n')
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE', 'package/package.json']))
    expect(files.filter((file) => /\.test\.|\/test\/|\/src\//.test(file))).toEqual([])
  })
})
