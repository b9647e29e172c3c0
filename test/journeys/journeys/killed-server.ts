import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import { localOAuth } from '@holdpoint/conformance/local-oauth'
import { expect } from 'vitest'
import type { Journey, World } from '../support/journey.ts'
import type { AppServer } from '../support/servers.ts'
import { type Tab, type Visitor, visit } from '../support/visitor.ts'

/** A user with a question in one state when the server is killed. */
interface Person {
  readonly world: World
  readonly chat: string
  readonly visitor: Visitor
  readonly tab: Tab
  readonly first: AppServer
}

/** Brings a question into a state; the returned function continues after the server was killed and started again. */
type State = (person: Person) => Promise<() => Promise<void>>

const LATE = { timeout: 40_000 }

const states: Record<string, State> = {
  async open({ world, chat, tab, first }) {
    ask(world, first, chat, 'delete_files', { files: ['open.txt'] })
    await button(tab, 'delete_files', 'approve').waitFor()
    return async () => {
      await tab.press(button(tab, 'delete_files', 'approve'))
      await ranOnce(world, { tool: 'delete_files', files: ['open.txt'] })
    }
  },

  async 'being answered'({ world, chat, tab, first }) {
    ask(world, first, chat, 'delete_files', { files: ['answered.txt'] })
    await button(tab, 'delete_files', 'approve').waitFor()
    // The answer leaves the page, and the server dies before it has arrived.
    const left = tab.page.waitForRequest(/\/messages$/)
    await tab.page.route(/\/messages$/, (route) => (first.isAlive() ? new Promise(() => {}) : route.continue()))
    await tab.press(button(tab, 'delete_files', 'approve'))
    await left
    return async () => {
      await tab.page.unrouteAll({ behavior: 'ignoreErrors' })
      await tab.page.evaluate(() => window.dispatchEvent(new Event('online')))
      await ranOnce(world, { tool: 'delete_files', files: ['answered.txt'] })
    }
  },

  async 'answered, and the tool runs'({ world, chat, tab, first }) {
    ask(world, first, chat, 'work', { job: 'a job' })
    await tab.press(button(tab, 'work', 'approve'))
    await expect.poll(() => world.deployment.has('began')).toBe(true)
    return async () => {
      writeFileSync(join(world.deployment.folder, 'may-end'), '')
      await ranOnce(world, { tool: 'work', job: 'a job' })
      await continued(world, chat)
    }
  },

  async 'an account is being connected'({ world, chat, visitor, tab, first }) {
    ask(world, first, chat, 'post', { text: 'hello' })
    const popup = visitor.context.waitForEvent('page')
    await tab.press(button(tab, 'post', 'connect'))
    const consent = (await popup).getByRole('button', { name: 'Allow' })
    await consent.waitFor()
    return async () => {
      await consent.click()
      await ranOnce(world, { tool: 'post', text: 'hello', hasToken: true })
    }
  },

  async 'a form with its errors'({ world, chat, tab, first }) {
    ask(world, first, chat, 'write', { text: 'hello' })
    const to = tab.card('write').locator('input')
    await to.fill('not-an-address')
    await tab.press(button(tab, 'write', 'submit'))
    await tab.card('write').locator('[aria-invalid="true"]').waitFor()
    return async () => {
      await tab.card('write').locator('[aria-invalid="true"]').waitFor()
      expect(await to.inputValue()).toBe('not-an-address')
      await to.fill('grace@example.com')
      await tab.press(button(tab, 'write', 'submit'))
      await ranOnce(world, { tool: 'write', to: 'grace@example.com', text: 'hello' })
    }
  },

  async deferred({ world, chat, tab, first }) {
    const asked = ask(world, first, chat, 'later', { what: 'the milk' })
    expect(await asked).toMatchObject({ result: { result: { pending: true } } })
    return async () => {
      await tab.press(button(tab, 'later', 'approve'))
      await continued(world, chat)
    }
  },
}

export const killedServer: Journey = {
  title: `the server is killed and started again, and each question is answered once: ${Object.keys(states).join('; ')}`,
  async run(world) {
    const { deployment } = world
    const port = await freePort()
    const service = await localOAuth({ redirectUris: [`http://127.0.0.1:${port}/holdpoint/connections/callback`] })
    try {
      const first = await deployment.start(port, { OAUTH_URL: service.url })
      const people = await Promise.all(
        Object.values(states).map(async (state, number) => {
          const chat = `chat-${number + 1}`
          const visitor = await visit(world, first.url)
          const tab = await visitor.open(`/?chat=${chat}`)
          return { state, person: { world, chat, visitor, tab, first } }
        }),
      )
      // One after the other: a card takes clicks only while its page is in front.
      const rest: { goOn(): Promise<void>; person: Person }[] = []
      for (const { state, person } of people) rest.push({ goOn: await state(person), person })
      for (const { person } of people) await person.visitor.expectHealthy()
      await first.kill()
      await deployment.start(port)
      for (const { goOn, person } of rest) {
        await person.visitor.expectFailures(async () => {
          await person.tab.seesServer()
          await goOn()
        })
        await person.visitor.expectHealthy()
        await person.visitor.close()
      }
    } finally {
      await service.close()
    }
  },
}

const ask = ({ deployment }: World, server: AppServer, chat: string, tool: string, input: object) =>
  deployment.ask(server, { chat, tool, input })

const button = (tab: Tab, tool: string, slot: string) => tab.card(tool).locator(`[data-slot="${slot}"]`)

async function ranOnce({ deployment }: World, effect: Record<string, unknown>): Promise<void> {
  const same = () => deployment.ran().filter((one) => JSON.stringify(one) === JSON.stringify(effect))
  await expect.poll(same, LATE).toEqual([effect])
}

/** The agent continues: its process had died, or it had not waited. */
async function continued({ deployment }: World, chat: string): Promise<void> {
  await expect.poll(() => deployment.continued().filter(({ sessionId }) => sessionId === chat), LATE).toHaveLength(1)
}
