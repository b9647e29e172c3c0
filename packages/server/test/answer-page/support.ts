import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { testAccounts, testHuman } from '@holdpoint/server/testing'
import { onTestFinished } from 'vitest'

export const ORIGIN = 'https://app.example.com'
const BASE = `${ORIGIN}/holdpoint`

/** A Holdpoint with answer pages, and what browsers do with them. */
export function world(options: HoldpointOptions = {}, pageOptions: Partial<Parameters<typeof answerPage>[1]> = {}) {
  const accounts = testAccounts()
  const logged: unknown[] = []
  const note = (...line: unknown[]) => void logged.push(line)
  const holdpoint: Holdpoint = createHoldpoint({
    store: memoryStore(),
    accounts,
    name: crypto.randomUUID(),
    logger: { debug: note, info: note, warn: note, error: note },
    authenticate(request) {
      const user = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
      return user ? { userId: user } : null
    },
    ...options,
    hooks: { onFollowUp: () => {}, onToolResult: () => {}, ...options.hooks },
  })
  onTestFinished(() => holdpoint.close())
  const pages = answerPage(holdpoint, { url: BASE, ...pageOptions })
  const human = testHuman(holdpoint, { userId: 'ada', accounts, present: false })
  const session = holdpoint.session('chat', { userId: 'ada' })
  const get = (url: string, headers: Record<string, string> = {}) =>
    holdpoint.fetch(new Request(url.replace(BASE, ORIGIN), { headers: { host: 'app.example.com', ...headers } }))
  /** Posts as a browser does, from a page with `Referrer-Policy: no-referrer`. */
  const post = (url: string, form: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
    holdpoint.fetch(
      new Request(url.replace(BASE, ORIGIN), {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin', ...headers },
      }),
    )
  /** Posts a form with files. */
  const postForm = (url: string, body: FormData, headers: Record<string, string> = {}) =>
    holdpoint.fetch(
      new Request(url.replace(BASE, ORIGIN), {
        method: 'POST',
        body,
        headers: { host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin', ...headers },
      }),
    )
  /** The fields of a rendered form that were not typed. */
  const hidden = (page: string) =>
    Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
  const approval = async (asked: object = {}) => {
    const asking = session
      .toolCall({ runId: 'r', toolCallId: crypto.randomUUID(), toolName: 'delete_files' })
      .tryApprove({ prompt: 'Delete 3 files?', args: { files: ['a.md'] }, ...asked })
    const question = await human.next()
    human.ignore(question)
    return { asking, question }
  }
  const linked = async (interactionId: string, userId = 'ada') =>
    pages.linkUrl(await holdpoint.links.create({ interactionId, userId }))
  return { holdpoint, accounts, pages, human, session, get, post, postForm, hidden, approval, linked, logged }
}
