import { randomBytes } from 'node:crypto'
import { describeWith, type Found, postgresUrl } from '@holdpoint/conformance/services'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { launchChromium } from '../../scripts/chromium.ts'
import { connectElsewhere } from './journeys/connect-elsewhere.ts'
import { idleForTwoMinutes } from './journeys/first-question.ts'
import { halfDiff } from './journeys/half-diff.ts'
import { killedServer } from './journeys/killed-server.ts'
import { manyChats } from './journeys/many-chats.ts'
import { offline } from './journeys/offline.ts'
import { refusedEdit } from './journeys/refused-edit.ts'
import { reloads } from './journeys/reloads.ts'
import { rollingDeploy } from './journeys/rolling-deploy.ts'
import { secondTab } from './journeys/second-tab.ts'
import { signOut } from './journeys/sign-out.ts'
import { tenTabs } from './journeys/ten-tabs.ts'
import { type InstalledApp, installApp } from './support/app.ts'
import type { Journey } from './support/journey.ts'
import { type Deployment, deploy } from './support/servers.ts'

const journeys: readonly Journey[] = [
  ...[manyChats, tenTabs, reloads, secondTab, signOut, offline],
  ...[refusedEdit, halfDiff, connectElsewhere, killedServer, rollingDeploy],
]

let app: InstalledApp
let browser: Browser
/** Its page is idle while the other journeys run. */
let idle: { deployment: Deployment; ask: Promise<() => Promise<void>> }
beforeAll(async () => {
  app = await installApp()
  browser = await launchChromium()
  const deployment = deploy(app, {})
  idle = { deployment, ask: idleForTwoMinutes({ browser, deployment }) }
  await idle.ask
}, 300_000)
afterAll(async () => {
  await idle?.deployment.dispose()
  await browser?.close()
  await app?.dispose()
})

const sqlite: Found = { value: '' }
for (const [store, found] of [['SQLite', sqlite] as const, ['Postgres', await postgresUrl()] as const]) {
  describeWith(`a person uses the app of the guide, on ${store}`, found, (url) => {
    const shared = store === 'Postgres'
    for (const { title, run } of journeys.filter(({ on }) => on === undefined || on === store)) {
      test(title, { timeout: 90_000 }, async () => {
        const schema = `journey_${randomBytes(6).toString('hex')}`
        const deployment = deploy(app, shared ? { DATABASE_URL: url, SCHEMA: schema } : {})
        try {
          await run({ browser, deployment })
        } finally {
          await deployment.dispose()
          if (shared) await app.dropSchema(url, schema)
        }
      })
    }
  })
}

test('the first question of a chat is on screen within half a second, at once and after two minutes without one', {
  timeout: 180_000,
}, async () => {
  const ask = await idle.ask
  await ask()
})
