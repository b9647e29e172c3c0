import { seedOr } from '@holdpoint/conformance/seeded'
import type { Holdpoint } from '@holdpoint/server'
import type { Store } from '@holdpoint/server/store'
import fc from 'fast-check'
import { test } from 'vitest'
import { open } from '../../engine/support/world.ts'
import { life, live } from './life.ts'
import { mcpDialog } from './mcp.ts'
import { answerLink } from './page.ts'
import { notification } from './push.ts'
import { slack } from './slack.ts'
import { approveAll, bareMessages, clientInProcess, clientOverHttp, overStdio, type SurfaceKind } from './surface.ts'
import { terminal } from './terminal.ts'

const surfaces: Record<string, (holdpoint: Holdpoint) => SurfaceKind> = {
  'bare messages': bareMessages,
  'the client': clientInProcess,
  'the client over HTTP': clientOverHttp,
  'a batch of answers': approveAll,
  'lines on two pipes': overStdio,
  'a terminal': terminal,
  'the page of an answer link': answerLink,
  'messages of Slack': slack,
  'notifications of a browser': notification,
  'the dialog of an MCP client': mcpDialog,
}

/** All of them in CI; a part elsewhere, where a test run should be short. */
const BATCH = 50
const LIVES = process.env.CI ? 1_000 : BATCH
async function liveAll(count: number, store: Store, kindOf: (holdpoint: Holdpoint) => SurfaceKind): Promise<void> {
  const holdpoint = open({
    store,
    name: crypto.randomUUID(),
    authenticate(request) {
      const userId = request.headers.get('authorization')?.slice('Bearer '.length)
      return userId ? { userId } : null
    },
    hooks: { onToolResult: () => {}, onFollowUp: () => {} },
  })
  const kind = kindOf(holdpoint)
  const batch = fc.array(life, { minLength: BATCH, maxLength: BATCH })
  const checked = await fc.check(
    fc.asyncProperty(batch, async (all) => {
      await Promise.all(all.map((calls) => live(holdpoint, kind, calls)))
    }),
    // A failure hangs as often as it throws, and a shrinking run would hang with it.
    { numRuns: count / BATCH, seed: seedOr(20261119), endOnFailure: true },
  )
  // Fifty lives are too long to print; the seed leads back to them.
  if (checked.failed) throw checked.errorInstance
}

/** Lives many lives on each surface, and holds what was shown against what ran and what was recorded. */
export function onEachSurface(openNew: () => Store): void {
  for (const [name, kindOf] of Object.entries(surfaces)) {
    test(
      `in ${LIVES} random lives through ${name} the arguments on screen are those that the tool gets and the log records [HP-SHN-4]`,
      { timeout: 240_000 },
      () => liveAll(LIVES, openNew(), kindOf),
    )
  }
}
