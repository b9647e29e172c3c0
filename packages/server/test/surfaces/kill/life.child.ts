import { appendFileSync, readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { seeded } from '@holdpoint/conformance/seeded'
import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { addSurfaces, type InteractionRecord } from '@holdpoint/server/surfaces'
import { openStore } from '../../nodes/open-store.ts'
import { type LifeSetup, linesOf, sessionOf } from './messages.ts'
import { mortalStore } from './mortal-store.ts'
import { fileProvider } from './provider.ts'

// A process that is killed writes no compile cache when it ends.
flushCompileCache()

const ADA = { userId: 'ada' }
const setup: LifeSetup = JSON.parse(process.argv[2] ?? '{}')
const { life, log, crash, latestMs } = setup
const random = seeded(setup.seed)
const note = (...words: unknown[]) => appendFileSync(log, `${words.join(' ')}\n`)
const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const die = (why: string) => {
  note('died', life, why)
  process.kill(process.pid, 'SIGKILL')
}
const steps = { all: 0, provider: 0 }
const stepOf = (of: 'all' | 'provider') => () => {
  steps.all++
  if (of === 'provider') steps.provider++
  if (crash && steps[crash.of] === crash.step) die(`${crash.of}-step-${crash.step}`)
}
if (latestMs !== undefined) setTimeout(() => die(`late-after-${steps.all}-steps`), latestMs)

const store = mortalStore(openStore(setup.store), stepOf('all'), (id) => note('stored', id))
const holdpoint = createHoldpoint({
  store,
  timing: { leaseMs: 300, orphanAfterMs: 500 },
  logger: { debug() {}, info() {}, warn() {}, error: (message) => note('error', message.replaceAll(' ', '_')) },
  hooks: { onToolResult: () => {}, onFollowUp: () => {} },
})
const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
addSurfaces(holdpoint, { pages, surfaces: [fileProvider({ ...setup, step: stepOf('provider') })] })

/** Two rivals answer at the same time; at most one of them is accepted. */
async function answer({ interactionId, sessionId, request }: InteractionRecord): Promise<void> {
  const digest = shownDigest(request as never)
  const rivals = random() < 0.5 ? ['approve', 'deny'] : ['deny', 'approve']
  await Promise.all(
    rivals.map(async (action) => {
      const answerId = `answer-${life}-${action}`
      const sent = { action: action as 'approve' | 'deny', shownDigest: digest }
      const outcome = await holdpoint.answer({
        ...{ principal: ADA, sessionId, interactionId, answerId, clientId: `${life}`, answer: sent },
      })
      if (outcome.status === 'accepted') note('accepted', interactionId, action)
    }),
  )
}

async function questions(): Promise<InteractionRecord[]> {
  const found: InteractionRecord[] = []
  for (const sessionId of new Set(Array.from({ length: life }, (_, n) => sessionOf(n)))) {
    for (let after: string | undefined, more = true; more; ) {
      const page = await holdpoint.interactions.list({ sessionId, ...(after !== undefined && { after }) })
      found.push(...page.interactions)
      after = page.next
      more = after !== undefined
    }
  }
  return found
}

void holdpoint.recover()
if (latestMs !== undefined) {
  const call = { runId: `run-${life}`, toolCallId: `call-${life}`, toolName: 'deploy' }
  const session = holdpoint.session(sessionOf(life), ADA)
  void session
    .toolCall(call)
    .tryApprove({ prompt: 'Deploy?', timeoutMs: 86_400_000 })
    .catch(() => {})
  // One question is answered in each life: mostly one whose message was sent and has to change, sometimes any other.
  const isAny = random() < 0.25
  for (let isAnswered = false; !isAnswered; ) {
    await pause(random() * 60)
    const { interactions } = await holdpoint.interactions.list({ userId: 'ada', status: 'open' })
    const sent = linesOf(readFileSync(log, 'utf8')).filter(([what]) => what === 'sent')
    const isSent = (id: string) => sent.some(([, deliveryId]) => deliveryId?.startsWith(`${id}/`))
    const chosen = oneOf(interactions.filter(({ interactionId }) => isAny || isSent(interactionId)))
    if (chosen) await answer(chosen)
    isAnswered = chosen !== undefined
  }
  await new Promise(() => {})
}

/** Open questions without a message, and settled ones whose message does not show how they ended. */
async function missing(): Promise<InteractionRecord[]> {
  const lines = linesOf(readFileSync(log, 'utf8'))
  const sent = lines.filter(([what]) => what === 'sent')
  const updated = new Set(lines.filter(([what]) => what === 'updated').map(([, ref]) => ref))
  const stored = lines.filter(([what]) => what === 'stored').map(([, id]) => id)
  return (await questions()).filter(({ interactionId, outcome, status }) => {
    const own = sent.filter(([, id]) => id?.startsWith(`${interactionId}/`))
    if (status === 'open') return own.length === 0
    // A message that was sent in the window cannot be changed if the provider does not find it.
    const isKnown = setup.finds || stored.some((id) => id?.startsWith(`${interactionId}/`))
    return outcome === undefined || (own.length > 0 && isKnown && !own.some(([, , ref]) => updated.has(ref ?? '')))
  })
}

for (let left = await missing(), round = 0; left.length > 0; left = await missing(), round++) {
  if (round > 1_200) {
    note('error', `without_message_or_outcome:${left.map(({ interactionId }) => interactionId).join(',')}`)
    break
  }
  await pause(100)
}
for (const { interactionId, status, outcome, answer: given } of await questions()) {
  note('question', interactionId, status, outcome ?? '-', given?.action ?? '-')
}
process.exit()
