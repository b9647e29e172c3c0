import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { SOURCE } from '../../../scripts/published.ts'

const home = join(import.meta.dirname, '..')
const require = createRequire(join(home, 'package.json'))

/** Bundles a piece of code that uses our sources, with the React of an application. */
export async function bundle(
  code: string,
  options: { react?: 18 | 19; platform?: 'browser' | 'node'; plugins?: Plugin[] } = {},
): Promise<string> {
  const { react = 19, platform = 'browser', plugins = [] } = options
  const suffix = react === 18 ? '-18' : ''
  const result = await build({
    stdin: { contents: code, resolveDir: join(home, 'src'), loader: 'tsx' },
    bundle: true,
    write: false,
    jsx: 'automatic',
    format: platform === 'node' ? 'cjs' : 'iife',
    platform,
    conditions: [SOURCE],
    define: { 'process.env.NODE_ENV': '"development"' },
    loader: { '.css': 'empty', '.woff2': 'empty', '.woff': 'empty' },
    plugins: [
      ...plugins,
      {
        name: 'react-of-the-application',
        setup(esbuild) {
          esbuild.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path }) => ({
            path: require.resolve(path.replace(/^(react(?:-dom)?)/, `$1${suffix}`)),
          }))
        },
      },
    ],
  })
  return result.outputFiles[0]!.text
}

/** Runs a bundle for Node and returns what it exports. */
export function load<T>(code: string): T {
  const module = { exports: {} }
  new Function('module', 'exports', 'require', code)(module, module.exports, require)
  return module.exports as T
}

/** Style sheets as an application has them: put together by its own tools. */
export const styles = join(home, 'src/styles/styles.css')

/** The content of a style sheet and of those that it imports. */
function sheet(path: string): string {
  const text = readFileSync(path, 'utf8')
  return text.replace(/@import '(\.[^']+)';/g, (_, name: string) => sheet(join(path, '..', name)))
}

/** `styles.css` in one piece. */
export const stylesheet = () => sheet(styles)

export interface OpenPage {
  page: Page
  /** Errors and warnings of the browser. */
  complaints: string[]
  close(): Promise<void>
}

/** Opens a page as a browser would get it from a server. */
export async function open(
  browser: Browser,
  html: string,
  options: { headers?: Record<string, string>; context?: Parameters<Browser['newContext']>[0] } = {},
): Promise<OpenPage> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...options.headers })
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const context = await browser.newContext(options.context)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const favicon = message.location().url.endsWith('favicon.ico')
    if (['error', 'warning'].includes(message.type()) && !favicon) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    page,
    complaints,
    async close() {
      await context.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A whole page; scripts carry the nonce, should the page be strict. */
export function document(parts: { body?: string; script?: string; style?: string; nonce?: string }): string {
  const nonce = parts.nonce ? ` nonce="${parts.nonce}"` : ''
  const script = parts.script?.replaceAll('</script', '<\\/script') ?? ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test</title>
<link rel="icon" href="data:,"><style${nonce}>${parts.style ?? ''}</style></head>
<body><div id="root">${parts.body ?? ''}</div><script${nonce}>${script}</script></body></html>`
}
