#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { configFolder, escapeInvisible } from '@holdpoint/core/node'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { exitCodes } from '../exit-codes.ts'
import { qrCode } from './qr-code.ts'

/** Asks a question in a terminal, and takes the answer from the phone that scans its QR code. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '3000' },
    // How a phone reaches this program: an HTTPS address, for example the one of a tunnel.
    url: { type: 'string' },
    // The name of an earlier start. Its question is asked again, or its answer is returned.
    run: { type: 'string', default: randomUUID().slice(0, 8) },
  },
})
const prompt = positionals.join(' ') || 'Continue?'
const address = values.url ?? `http://localhost:${values.port}`
const user = { userId: 'me' }
const sessionId = `phone-${values.run}`
let shown = false

const folder = configFolder('holdpoint-phone')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const holdpoint = createHoldpoint({
  store: sqliteStore({ path: join(folder, 'questions.db') }),
  hooks: {
    onAsked: ({ interactionId }) => show(interactionId),
  },
})
const pages = answerPage(holdpoint, { url: `${address.replace(/\/+$/, '')}/holdpoint` })
const server = createServer(toNodeHandler(holdpoint))
server.listen(Number(values.port))

// A question that an earlier start left open: its hook has run there.
const { interactions } = await holdpoint.interactions.list({ sessionId, status: 'open' })
for (const { interactionId } of interactions) await show(interactionId)
const call = { runId: values.run, toolCallId: 'question', toolName: 'phone' }
const { outcome } = await holdpoint.session(sessionId, user).toolCall(call).tryApprove({ prompt })
print(`Answer: ${outcome}`)
// The phone still loads the page with the outcome.
if (shown && (outcome === 'approved' || outcome === 'denied')) {
  const loaded = once(server, 'request').then(([, response]) => once(response, 'close'))
  await Promise.race([loaded, setTimeout(5_000, undefined, { ref: false })])
}
process.exitCode = outcome === 'approved' ? exitCodes.done : exitCodes.refused
server.close()
await holdpoint.close()

async function show(interactionId: string): Promise<void> {
  shown = true
  const link = pages.linkUrl(await holdpoint.links.create({ interactionId, ...user }))
  print(`${escapeInvisible(prompt)}\n\n${qrCode(link)}\n\nScan the code, or open ${link}`)
  print(`If this program stops, start it again with --run ${values.run}`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
