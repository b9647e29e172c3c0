import { say } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import type { Holdpoint } from '../holdpoint.ts'
import { FRESH_MS } from '../http/guard/recheck.ts'
import { appOf, engineOf } from '../http/mounted.ts'
import type { Outgoing } from '../http/responses/http-response.ts'
import type { Route, RouteContext } from '../http/routing/route.ts'
import { randomToken } from '../security/hashes.ts'
import { connectBody, connectedAccounts } from './connect-page.ts'
import { STEP } from './form/names.ts'
import type { PostedForm } from './form/posted-form.ts'
import { hasChanged, problemsOf, readInput, sentInput } from './form/read-form.ts'
import { stepNumber } from './form/step-parts.ts'
import { questionnaireOf, walk } from './form/steps.ts'
import { html } from './markup/html.ts'
import { languageOf, type PageLanguage } from './markup/language.ts'
import type { PageTexts } from './markup/page-texts.ts'
import { kindTitle } from './names.ts'
import { outcomeText } from './outcome.ts'
import { type PageFrame, page, seeOther } from './page.ts'
import { answerOf, postAnswer } from './post-answer.ts'
import { questionBody, type Retry, steppedOf } from './question-page.ts'
import { FORM_TYPES, receiveForm } from './receive-form.ts'
import { limited, type NoViewer, type Viewer, viewerByLink, viewerByLogin } from './viewer.ts'

/** Options of `answerPage`. */
interface AnswerPageOptions {
  /**
   * The public address of Holdpoint's mount point: `https://app.example.com/holdpoint`. Its host name is allowed in
   * addition to `security.allowedHosts`.
   */
  url: string
  /**
   * Returns the address of your login, to which a user without one is sent.
   *
   * @default none: the page says that a login is needed
   */
  signInUrl?: (page: string) => string
  /**
   * Texts in further languages, by language tag: all `Messages` of the cards, and the sentences of the page.
   *
   * @default English, German, Arabic, Spanish, French, Japanese and Chinese
   */
  languages?: Readonly<Record<string, PageTexts>>
  /**
   * The questions that a link may answer without a login although they are sensitive: approvals with `risk: 'high'`,
   * forms with secret fields, and requests for accounts. The holder of a stolen link could connect an account of their
   * own, which the agent would use for the user of the link.
   *
   * @default []
   */
  linkMayAnswer?: readonly ('high_risk' | 'secrets' | 'accounts')[]
  /**
   * True if pages of the same origin may show the page in a frame, for example as a preview. Pages of other origins may
   * not.
   *
   * @default false
   */
  allowFramed?: boolean
}

/** Addresses of the pages. */
export interface AnswerPage {
  /** Returns the address of the page for a user who signs in. */
  url(interaction: { sessionId: string; interactionId: string }): string
  /** Returns the address of the page for the user of a link. Treat the address as a password: do not log it. */
  linkUrl(link: { token: string }): string
}

/**
 * Adds pages on which an interaction is answered without JavaScript: on a phone, from an e-mail, in a terminal's browser.
 *
 * @example
 * const page = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
 * const link = await holdpoint.links.create({ interactionId, userId: 'ada' })
 * await sendMail({ text: page.linkUrl(link) })
 */
export function answerPage(holdpoint: Holdpoint, options: AnswerPageOptions): AnswerPage {
  const base = options.url.replace(/\/+$/, '')
  const loginPath = ({ sessionId, interactionId }: { sessionId: string; interactionId: string }) =>
    `${base}/sessions/${encodeURIComponent(sessionId)}/answer/${encodeURIComponent(interactionId)}`
  const linkPath = (token: string) => `${base}/answer/${encodeURIComponent(token)}`
  const pages: Pages = { holdpoint, options, loginUrl: loginPath }
  const login = (context: RouteContext) => viewerByLogin(holdpoint, context)
  const link = (context: RouteContext) => viewerByLink(holdpoint, context)
  const at = (path: string, find: typeof login, own: (context: RouteContext) => string): Route[] => {
    const common = { path, public: true as const }
    const viaLink = find === link
    const get = async (context: RouteContext) => show(pages, context, viaLink, await find(context), own(context))
    return [
      { ...common, method: 'GET', handle: get },
      // Mail scanners and link previews ask for the head of a link first.
      { ...common, method: 'HEAD', handle: async (context) => ({ ...(await get(context)), body: '' }) },
      {
        ...common,
        method: 'POST',
        contentType: FORM_TYPES,
        handle: async (context) => receive(pages, context, viaLink, find, own(context)),
      },
    ]
  }
  if (URL.canParse(base)) appOf(holdpoint).addHost(new URL(base).hostname)
  appOf(holdpoint).addRoutes([
    ...at('/sessions/:session/answer/:interaction', login, ({ params }) =>
      loginPath({ sessionId: params.session ?? '', interactionId: params.interaction ?? '' }),
    ),
    ...at('/answer/:token', link, ({ params }) => linkPath(params.token ?? '')),
  ])
  return { url: loginPath, linkUrl: ({ token }) => linkPath(token) }
}

interface Pages {
  holdpoint: Holdpoint
  options: AnswerPageOptions
  loginUrl(interaction: { sessionId: string; interactionId: string }): string
}

function frameOf({ holdpoint, options }: Pages, { incoming }: RouteContext, viaLink: boolean): PageFrame {
  const language = languageOf(incoming.header('accept-language'), options.languages)
  const framed = options.allowFramed === true
  return { language, viaLink, framed, randomBytes: (length) => engineOf(holdpoint).environment.randomBytes(length) }
}

/** Handles a GET. It only shows the page and changes nothing, because mail scanners open links. */
async function show(
  pages: Pages,
  context: RouteContext,
  viaLink: boolean,
  viewer: Viewer | NoViewer,
  own: string,
): Promise<Outgoing> {
  const frame = frameOf(pages, context, viaLink)
  if (typeof viewer === 'string') return refused(pages, frame, viewer, own)
  return limited(pages.holdpoint, viewer) ?? shown(pages, frame, viewer)
}

async function shown(
  pages: Pages,
  frame: PageFrame,
  viewer: Viewer,
  retry: Retry & { started?: Started } = {},
  status = 200,
): Promise<Outgoing> {
  const { record, principal, now } = viewer
  const { messages } = frame.language
  const ended = outcomeText(record, principal, messages)
  if (ended !== undefined) {
    const late = retry.action !== undefined && !isAnsweredBy(principal.userId, retry.action, record)
    const notes = html`${late && html`<p role="alert">${messages.didNotCount}</p>`}<p class="muted">${messages.canClose}</p>`
    return page(frame, status, ended, html`<h1>${ended}</h1>${connectedAccounts(record, frame.language)}${notes}`)
  }
  if (needsLogin(pages.options, viewer)) return refused(pages, frame, 'sign_in', pages.loginUrl(record))
  const answerId = randomToken(frame.randomBytes, 16)
  const stepped = steppedOf(record, retry)
  const { uploadBytes } = engineOf(pages.holdpoint).limits
  const body =
    record.kind === 'connect'
      ? connectBody(record, { language: frame.language, answerId, now, started: retry.started, problem: retry.problem })
      : questionBody(record, { language: frame.language, answerId, now, retry, stepped, uploadBytes })
  const title = kindTitle(record, messages)
  // Screen readers say the title of a new page first.
  const wrong = Object.keys(retry.errors ?? {}).length
  const news = [
    wrong > 0 && say(messages.problemsTitle, { count: wrong }),
    stepped && stepNumber(stepped.step, frame.language),
  ]
  return page(frame, status, [...news.filter(Boolean), title].join(' · '), body)
}

/** Whether the question has this very answer, for example because the user gave it in another tab. */
const isAnsweredBy = (userId: string, action: string, { answer }: InteractionRecord) =>
  answer?.action === action && answer.by.userId === userId

interface Started {
  integration: string
  url: string
}

async function receive(
  pages: Pages,
  context: RouteContext,
  viaLink: boolean,
  find: (context: RouteContext) => Promise<Viewer | NoViewer>,
  own: string,
): Promise<Outgoing> {
  const frame = frameOf(pages, context, viaLink)
  const { clock } = context
  const from = clock.elapsed()
  const first = await find(context)
  if (typeof first === 'string') return refused(pages, frame, first, own)
  const { record, principal } = first
  if (outcomeText(record, principal, frame.language.messages) === undefined && needsLogin(pages.options, first)) {
    return refused(pages, frame, 'sign_in', pages.loginUrl(record))
  }
  const tooMany = limited(pages.holdpoint, first)
  if (tooMany) return tooMany
  const posted = await receiveForm(pages.holdpoint, context, first, frame.language)
  // A link can be revoked, or a user can sign out, while a slow body arrives.
  const viewer = clock.elapsed() - from > FRESH_MS ? await find(context) : first
  if (typeof viewer === 'string') return refused(pages, frame, viewer, own)
  if (posted === 'too_large') {
    return shown(pages, frame, viewer, { problem: frame.language.messages.notAccepted }, 413)
  }
  const integration = posted.form.get('connect')
  if (integration !== null) return await connect(pages, frame, viewer, integration)
  return await answered(pages, frame, viewer, posted, own)
}

async function answered(pages: Pages, frame: PageFrame, viewer: Viewer, { form, fileErrors }: PostedForm, own: string) {
  const { messages } = frame.language
  const { record } = viewer
  const between = form.get('action') === 'decline' ? null : stepped(record, { form, fileErrors }, frame.language)
  if (between) return shown(pages, frame, viewer, { ...between.retry, action: 'next' }, between.status)
  if (Object.keys(fileErrors).length > 0) {
    const current = await currentOf(pages, viewer)
    // A second click uploads nothing for a question that the first one has answered.
    if (outcomeText(current.record, viewer.principal, messages) !== undefined) return seeOther(frame, own)
    const errors = { ...errorsOf(record, form, {}, frame), ...fileErrors }
    return shown(pages, frame, current, { ...keptOf(record, form), errors }, 422)
  }
  const answer = answerOf(record, form)
  const answerId = form.get('answerId')
  if (!answer || !answerId) return shown(pages, frame, viewer, { problem: messages.notAccepted }, 400)
  const schema = record.request.type === 'interaction_request' ? record.request.inputSchema : undefined
  if (answer.action === 'submit' && schema && hasChanged(schema, form, readInput(schema, form))) {
    return shown(pages, frame, viewer, { ...keptOf(record, form), problem: messages.formChanged })
  }
  const outcome = await postAnswer(pages.holdpoint, viewer, answerId, answer)
  // Redirects to the page, so that a reload does not post again.
  if (outcome.status === 'accepted') return seeOther(frame, own)
  const current = await currentOf(pages, viewer)
  const differs = outcome.code === 'shown_differs'
  const kept: Retry = { ...(differs ? {} : keptOf(current.record, form)), action: `${answer.action}` }
  const problem = differs ? messages.shownDiffers : messages.notAccepted
  if (outcome.code !== 'invalid_input') return shown(pages, frame, current, { ...kept, problem }, 409)
  return shown(
    pages,
    frame,
    current,
    { ...kept, errors: errorsOf(current.record, form, outcome.fieldErrors, frame) },
    422,
  )
}

async function currentOf({ holdpoint }: Pages, viewer: Viewer): Promise<Viewer> {
  return { ...viewer, ...(await engineOf(holdpoint).reads.interaction(viewer.record, viewer.record.interactionId)) }
}

/** Returns the page that follows a posted step, or null if the form is sent. Nothing is recorded between steps. */
function stepped(record: InteractionRecord, { form, fileErrors }: PostedForm, language: PageLanguage) {
  const schema = questionnaireOf(record)
  if (!schema || !form.has(STEP) || record.request.type !== 'interaction_request') return null
  // Later steps render the current question, so the digest of the earlier steps is compared here.
  if (form.get('shownDigest') !== shownDigest(record.request)) {
    return { retry: { problem: language.messages.shownDiffers }, status: 409 }
  }
  const retry = walk(schema, form, fileErrors, language)
  return retry && { retry, status: retry.errors ? 422 : 200 }
}

/** Returns the person's input without secrets. */
function keptOf({ request }: InteractionRecord, form: URLSearchParams): Retry {
  const schema = request.type === 'interaction_request' ? request.inputSchema : undefined
  const scope = form.get('scope')
  const reason = form.get('reason')
  const step = form.get(STEP)
  return {
    ...(schema && { values: readInput(schema, form) }),
    ...(scope && { scope }),
    ...(reason && { reason }),
    ...(step && { step: Number(step) }),
  }
}

/**
 * Returns the errors of the fields: in the language of the page if its own validation finds them, otherwise those of
 * the server.
 */
function errorsOf(
  { request }: InteractionRecord,
  form: URLSearchParams,
  serverErrors: Retry['errors'],
  frame: PageFrame,
) {
  const schema = request.type === 'interaction_request' ? request.inputSchema : undefined
  const own = schema ? problemsOf(schema, sentInput(schema, form), frame.language) : {}
  return Object.keys(own).length > 0 ? own : (serverErrors ?? {})
}

async function connect(pages: Pages, frame: PageFrame, viewer: Viewer, integration: string): Promise<Outgoing> {
  const { principal, record } = viewer
  const { sessionId, interactionId } = record
  const reply = await engineOf(pages.holdpoint).connect(principal, sessionId, { interactionId, integration })
  const { url } = reply.body as { url?: unknown }
  const started = typeof url === 'string' && URL.canParse(url) ? { started: { integration, url } } : {}
  return shown(pages, frame, viewer, {
    ...started,
    ...(!('started' in started) && { problem: frame.language.messages.notAccepted }),
  })
}

/** Returns whether the interaction may only be answered after a login. */
function needsLogin({ linkMayAnswer = [] }: AnswerPageOptions, { via, record: { request } }: Viewer): boolean {
  if (via === 'login') return false
  if (request.type !== 'interaction_request') return !linkMayAnswer.includes('accounts')
  if (request.risk === 'high' && !linkMayAnswer.includes('high_risk')) return true
  const secret = request.inputSchema?.fields.some(({ type }) => type === 'secret') ?? false
  return secret && !linkMayAnswer.includes('secrets')
}

/** Returns a page that reveals nothing about the interaction. */
function refused({ options }: Pages, frame: PageFrame, why: NoViewer, signedInPage: string) {
  const { messages } = frame.language
  if (why !== 'sign_in') {
    const text = why === 'other_user' ? messages.notAllowed : messages.cannotOpen
    return page(frame, why === 'other_user' ? 403 : 404, text, html`<h1>${text}</h1>`)
  }
  const address = options.signInUrl?.(signedInPage)
  const button = address && html`<p><a class="button primary" href="${address}">${messages.signIn}</a></p>`
  return page(frame, 401, messages.signedOut, html`<h1>${messages.signedOut}</h1>${button}`)
}
