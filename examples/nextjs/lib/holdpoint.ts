import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { registerTools } from '@holdpoint/server/ai-sdk'
import { accounts } from './accounts.ts'
import { isOfPage } from './bridges/names.ts'
import { secret } from './keys.ts'
import { authenticate } from './login.ts'
import { addAnswerByMail } from './mail/answer-by-mail.ts'
import { integrations, tools as toolNames } from './names.ts'
import { once } from './once.ts'
import { store } from './store.ts'
import { tools } from './tools/index.ts'

/** The one Holdpoint of this app. */
export const holdpoint = once('holdpoint', (): Holdpoint => {
  const made = createHoldpoint({
    store,
    authenticate,
    accounts,
    names: { tools: toolNames, integrations },
    http: { routes: accounts.routes },
    security: { vaultKeys: [{ id: '1', key: Buffer.from(secret('vault'), 'base64') }] },
    // The request that waited is gone, because its server stopped or it timed out, so the agent continues here.
    hooks: {
      onToolResult: async (delivery) => (await import('./agent.ts')).continueWith(delivery),
      onFollowUp: async (delivery) => (await import('./agent.ts')).followUp(delivery),
      onSettled: async ({ sessionId, userId }) => {
        if (isOfPage(sessionId)) await (await import('./bridges/index.ts')).resume(made, sessionId, userId)
      },
    },
  })
  registerTools(made, tools)
  addAnswerByMail(made)
  return made
})
