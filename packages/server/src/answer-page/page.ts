import type { HttpResponse } from '../http/responses/http-response.ts'
import { randomToken } from '../security/hashes.ts'
import { type Html, html } from './markup/html.ts'
import type { PageLanguage } from './markup/language.ts'
import { STYLE } from './markup/style.ts'

/** The parameters that all pages of one request share. */
export interface PageFrame {
  language: PageLanguage
  /** True if the address contains the token of a link, which other sites must not learn. */
  viaLink: boolean
  /** True if pages of the same origin may show the page in a frame. */
  framed: boolean
  randomBytes(length: number): Uint8Array
}

/** Returns a complete page without scripts. It is not cached, and cannot be framed unless the host allows it. */
export function page(frame: PageFrame, status: number, title: string, body: Html): HttpResponse {
  const { locale, direction } = frame.language
  const nonce = randomToken(frame.randomBytes, 16)
  const document = html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">`
  const text = `${document.text}${STYLE}</style>\n</head>\n<body><main>${body.text}</main></body>\n</html>`
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors ${frame.framed ? "'self'" : "'none'"}`
  const headers = { ...headersOf(frame), 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  return { kind: 'answer', status, body: text, headers }
}

/** Redirects the browser with GET, so that a reload does not post again. */
export function seeOther(frame: PageFrame, location: string): HttpResponse {
  const headers = { ...headersOf(frame), location, 'content-security-policy': "default-src 'none'" }
  return { kind: 'answer', status: 303, body: '', headers }
}

function headersOf({ viaLink, framed }: PageFrame): Record<string, string> {
  return {
    'cache-control': 'no-store',
    // With `no-referrer` browsers send `Origin: null`; a page with a login keeps its Origin for old browsers.
    'referrer-policy': viaLink ? 'no-referrer' : 'same-origin',
    'x-frame-options': framed ? 'SAMEORIGIN' : 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
