import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { groups } from './pages.ts'

const root = join(import.meta.dirname, '../..')
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository: { url: string } }
const source = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** Files of the repository that are pages. Links to all others lead to the repository. */
const isPage = (path: string) => /^(docs\/.*|[A-Z]+)\.md$/.test(path)

/** `../PROTOCOL.md#answers` of `docs/tools.md`: the file in the repository, and the rest. */
function targetOf(page: string, href: string): { path: string; hash: string } {
  const [file = '', hash] = href.split('#')
  const path = relative(root, join(root, dirname(page), decodeURIComponent(file)))
  return { path, hash: hash === undefined ? '' : `#${hash}` }
}

/** The documentation site: the Markdown of the repository as it is. `npx -y pnpm@12 site` builds it. */
export default defineConfig({
  title: 'Holdpoint',
  description: 'A software agent stops, asks a person, and continues exactly once with the answer.',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', '{packages,examples,bench,test,build,.changeset}/**', 'README.md', 'CHANGELOG.md'],
  rewrites: { 'site/index.md': 'index.md' },
  outDir: '../build/site',
  cacheDir: '../node_modules/.cache/site',
  cleanUrls: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/storybook/favicon.svg' }]],
  // Storybook and the reference are built beside the pages.
  ignoreDeadLinks: [/^\/(storybook|api)\//],
  themeConfig: {
    logo: '/storybook/favicon.svg',
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/docs/ai-sdk' },
      { text: 'API on one screen', link: '/docs/overview' },
      { text: 'Components', link: '/storybook/index.html', target: '_self' },
      { text: 'Reference', link: '/api/index.html', target: '_self' },
    ],
    sidebar: groups.map(({ title, pages }) => ({
      text: title,
      collapsed: false,
      items: pages.map(([text, link]) => ({ text, link })),
    })),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: source }],
  },
  markdown: {
    config(md) {
      // Vue would read braces in prose and in inline code.
      for (const rule of ['text', 'code_inline'] as const) {
        const render = md.renderer.rules[rule]!
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
      }
      md.core.ruler.push('links-to-the-repository', ({ tokens, env }) => {
        const page = relative(root, env.realPath ?? env.path ?? join(root, env.relativePath))
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (!href || /^([a-z]+:|\/|#)/i.test(href)) continue
          const { path, hash } = targetOf(page, href)
          if (!existsSync(join(root, path))) throw new Error(`${page} links to ${href}, which does not exist`)
          if (!isPage(path) || path === 'README.md') token.attrSet('href', `${source}/tree/main/${path}${hash}`)
        }
      })
    },
  },
})
