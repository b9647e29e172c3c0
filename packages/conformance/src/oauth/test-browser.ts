/** A page that the test browser loaded. */
export interface VisitedPage {
  url: URL
  status: number
  headers: Headers
  text: string
}

export interface TestBrowserOptions {
  /** Answers some addresses in this process instead of the network; null passes the request through. */
  local?: (request: Request) => Promise<Response> | null
  /** Returns the redirect target instead of following it. */
  stopAt?: (url: URL) => boolean
}

/**
 * The part of a browser that OAuth needs: it follows redirects, keeps cookies by host and port, and submits forms. Each
 * instance is one person with a cookie jar.
 */
export class TestBrowser {
  readonly cookies = new Map<string, Map<string, string>>()
  /** Every visited address in order. */
  readonly history: string[] = []
  readonly #options: TestBrowserOptions

  constructor(options: TestBrowserOptions = {}) {
    this.#options = options
  }

  async open(address: string | URL): Promise<VisitedPage> {
    return this.#go(new Request(address, { redirect: 'manual' }))
  }

  /** Submits the form of a page, with additional or changed fields. */
  async submit(page: VisitedPage, fields: Record<string, string> | [string, string][] = {}): Promise<VisitedPage> {
    const form = /<form[^>]*>[\s\S]*?<\/form>/i.exec(page.text)?.[0]
    if (!form) throw new Error(`No form at ${page.url.pathname}: ${page.status} ${page.text.slice(0, 300)}`)
    const action = /action="([^"]*)"/i.exec(form)?.[1] ?? ''
    const body = new URLSearchParams()
    for (const [input] of form.matchAll(/<input[^>]*>/gi)) {
      const name = /name="([^"]*)"/.exec(input)?.[1]
      if (name) body.set(name, unescapeHtml(/value="([^"]*)"/.exec(input)?.[1] ?? ''))
    }
    const filled = Array.isArray(fields) ? fields : Object.entries(fields)
    for (const [name] of filled) body.delete(name)
    for (const [name, value] of filled) body.append(name, value)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: page.headers.get('referrer-policy') === 'no-referrer' ? 'null' : page.url.origin,
    }
    return this.#go(
      new Request(new URL(unescapeHtml(action), page.url), { method: 'POST', headers, body, redirect: 'manual' }),
    )
  }

  async #go(request: Request): Promise<VisitedPage> {
    let next = request
    for (let hops = 0; hops < 20; hops++) {
      const url = new URL(next.url)
      this.history.push(url.href)
      const jar = this.#jar(url)
      if (jar.size > 0) next.headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await (this.#options.local?.(next) ?? fetch(next))
      for (const cookie of response.headers.getSetCookie()) this.#keep(jar, cookie)
      const location = response.headers.get('location')
      const text = await response.text()
      const page = { url, status: response.status, headers: response.headers, text }
      if (location === null || response.status < 300 || response.status >= 400) return page
      const target = new URL(location, url)
      if (this.#options.stopAt?.(target)) return { ...page, url: target }
      next = new Request(target, { redirect: 'manual' })
    }
    throw new Error('Too many redirects.')
  }

  #jar({ host }: URL): Map<string, string> {
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, jar)
    return jar
  }

  #keep(jar: Map<string, string>, cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';')
    const at = pair.indexOf('=')
    const gone = attributes.some((one) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(one))
    if (gone) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

const unescapeHtml = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&')
