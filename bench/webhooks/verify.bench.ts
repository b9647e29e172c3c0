import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { signWebhook, verifyWebhook } from '@holdpoint/server/webhooks'
import { report } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { median, spread } from '../support/statistics.ts'

/**
 * A webhook's signature is checked before anything else is done with it, so its price is what a forged one costs us.
 * Beside it `createHmac` over the same bytes and a comparison, which is the least that can be done. Holdpoint's goes
 * through WebCrypto, which workers and Deno have too and which answers from another thread.
 */
const CALLS = 500
const ROUNDS = 15
const BODY = JSON.stringify({ type: 'document.changed', text: 'x'.repeat(2_000) })
const secret = randomBytes(32)
const now = Date.now()
const headers = await signWebhook({ id: 'msg_1', now, body: BODY, secrets: [`whsec_${secret.toString('base64')}`] })
const secrets = [`whsec_${secret.toString('base64')}`]
const header = (name: string) => headers[name as keyof typeof headers] ?? null

async function verified(): Promise<void> {
  const { id } = await verifyWebhook({ header, body: BODY, secrets, now })
  if (id !== 'msg_1') throw new Error('another webhook was verified')
}

function bare(): void {
  const made = createHmac('sha256', secret).update(`msg_1.${headers['webhook-timestamp']}.`).update(BODY).digest()
  if (!timingSafeEqual(made, Buffer.from(headers['webhook-signature'].slice(3), 'base64'))) throw new Error('forged')
}

/** Microseconds a call. */
const cost = (leg: () => unknown) => async () => {
  const began = performance.now()
  for (let n = 0; n < CALLS; n++) await leg()
  return ((performance.now() - began) * 1e3) / CALLS
}
const micros = await rounds(ROUNDS, { bare: cost(bare), verified: cost(verified) }, { warmUp: 3 })

report({
  about: `${ROUNDS} interleaved rounds of ${CALLS} webhooks of ${BODY.length} bytes, one after the other`,
  results: [
    {
      id: 'verify',
      scenario: 'a webhook of 2 kB is verified',
      figure: 'time',
      unit: 'µs',
      better: 'lower',
      value: median(micros.verified),
      spread: spread(micros.verified),
      limit: { name: 'createHmac and timingSafeEqual', value: median(micros.bare) },
    },
  ],
})
