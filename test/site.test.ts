import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { groups } from '../site/.vitepress/pages.ts'

const root = join(import.meta.dirname, '..')
const links = groups.flatMap(({ pages }) => pages.map(([, link]) => link))

test('the sidebar of the documentation site lists every guide', () => {
  const guides = globSync('docs/*.md', { cwd: root }).map((file) => basename(file, '.md'))
  const listed = links.map((link) => /^\/docs\/([^/]+)$/.exec(link)?.[1]).filter((name) => name !== undefined)
  expect(listed.sort()).toEqual(guides.filter((name) => name !== 'README').sort())
})

test('every page of the sidebar exists', () => {
  expect(links.filter((link) => !existsSync(join(root, `${link}.md`)))).toEqual([])
})
