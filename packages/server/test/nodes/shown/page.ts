import { english } from '@holdpoint/core/messages'
import type { Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { asRead, type SurfaceKind, tab } from './surface.ts'

const BASE = 'http://localhost/holdpoint'

/** The page that a link in an e-mail opens, without a login: what counts as shown is the HTML. */
export const answerLink = (holdpoint: Holdpoint): SurfaceKind => {
  const pages = answerPage(holdpoint, { url: BASE })
  const send = (url: string, init?: RequestInit) =>
    holdpoint.fetch(new Request(url.replace(BASE, 'http://localhost'), init))
  return {
    open(userId) {
      const asked = tab(holdpoint, userId)
      /** The bodies that the last opened page and the page before it would post. */
      let forms: Record<string, string>[] = []
      let url = ''
      return {
        hidesDrafts: true,
        can: ({ edits, rejects }) => !edits && !rejects,
        async shows(not) {
          const request = await asked.shows(not)
          url = pages.linkUrl(await holdpoint.links.create({ interactionId: request.interactionId, userId }))
          const html = await (await send(url)).text()
          forms = [hiddenIn(html), ...forms]
          const json = /<summary>Exact request<\/summary><pre[^>]*>([^<]*)<\/pre>/.exec(html)?.[1] ?? ''
          const change = /\+(pay \d+)/.exec(html)?.[1]
          return asRead(request, { args: JSON.parse(json.replaceAll('&#34;', '"')), change })
        },
        async press(_shown, { approvalScope, shownDigest }) {
          const [now, before] = forms
          // The digest of the page before, or of none, under an id of its own.
          const stale = { shownDigest: before?.shownDigest ?? 'of another question', answerId: crypto.randomUUID() }
          const form = { ...now, ...(shownDigest && stale), action: 'approve', scope: approvalScope }
          const response = await send(url, {
            method: 'POST',
            redirect: 'manual',
            body: new URLSearchParams(form),
            headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
          })
          if (response.status === 303) return 'accepted'
          const text = await response.text()
          return text.includes(english.shownDiffers) ? 'shown_differs' : text
        },
        close: () => {},
      }
    },
  }
}

const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
