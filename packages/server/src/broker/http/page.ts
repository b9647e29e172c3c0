import type { HttpResponse } from '../../http/responses/http-response.ts'
import { randomToken } from '../../security/hashes.ts'
import type { Broker } from '../shared/broker.ts'

interface PageContent {
  title: string
  /** HTML; all foreign text has passed through `escapeHtml`. */
  body: string
  script?: string
  /** Must be `same-origin` on a page with a form, because with `no-referrer` browsers send `Origin: null`. */
  referrer?: 'no-referrer' | 'same-origin'
  cookie?: string
}

/** Returns a page that cannot be cached or framed, and that runs only its own script. */
export function page(
  broker: Broker,
  status: number,
  { title, body, script, referrer, cookie }: PageContent,
): HttpResponse {
  const nonce = randomToken(broker.environment.randomBytes, 16)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
${script ? `<script nonce="${nonce}">${script}</script>` : ''}
</head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>`
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`
  return {
    kind: 'answer',
    status,
    body: html,
    headers: {
      ...pageHeaders(referrer),
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      ...(cookie && { 'set-cookie': cookie }),
    },
  }
}

/** Redirects the browser. The current address does not stay in its history. */
export function redirect(location: string, cookie?: string): HttpResponse {
  const headers = { ...pageHeaders(), location, ...(cookie && { 'set-cookie': cookie }) }
  return { kind: 'answer', status: 303, body: '', headers }
}

function pageHeaders(referrer: PageContent['referrer'] = 'no-referrer'): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'referrer-policy': referrer,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** Returns JSON that is safe inside a script element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;min-height:100vh;place-items:center}main{max-width:30rem;padding:1.5rem}h1{font-size:1.25rem}code{font-size:1.5rem;letter-spacing:.1em}button{font:inherit;padding:.6rem 1.2rem;cursor:pointer}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0;overflow-wrap:anywhere}`
