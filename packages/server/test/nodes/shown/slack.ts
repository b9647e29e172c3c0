import type { Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { slackSurface } from '@holdpoint/server/slack'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { ROUTE, SECRET, signed } from '../../surfaces/support/slack-world.ts'
import { asRead, type SurfaceKind, tab } from './surface.ts'

interface Block {
  text?: { text: string }
  elements?: { action_id: string; value?: string }[]
}

/** Messages of Slack: what counts as shown is the text of the blocks, and a press is what Slack posts. */
export const slack = (holdpoint: Holdpoint): SurfaceKind => {
  /** By user, the messages in their order, each as it stands now. */
  const posts = new Map<string, { ts: string; blocks: Block[] }[]>()
  let count = 0
  const client = {
    async apiCall(method: string, given: Record<string, unknown> = {}) {
      const { channel, ts, blocks } = given as { channel: string; ts: string; blocks: Block[] }
      if (method === 'chat.postMessage') {
        const post = { ts: String(++count), blocks }
        posts.set(channel, [...(posts.get(channel) ?? []), post])
        return { channel, ts: post.ts }
      }
      if (method === 'chat.update') Object.assign(posts.get(channel)?.find((one) => one.ts === ts) ?? {}, { blocks })
      return {}
    },
  }
  const surface = slackSurface({
    ...{ client, signingSecret: SECRET, addressOf: ({ userId }) => userId },
    userOf: ({ slackId }) => ({ userId: slackId }),
  })
  addSurfaces(holdpoint, { pages: answerPage(holdpoint, { url: ROUTE }), surfaces: [surface] })
  let presses = 0
  return {
    showsDiffs: false,
    open(userId) {
      const asked = tab(holdpoint, userId)
      let button: { action_id: string; value?: string } | undefined
      return {
        hidesDrafts: true,
        can: ({ edits, rejects, stale, scope }) => !edits && !rejects && !stale && scope === 'once',
        async shows(not) {
          const request = await asked.shows(not)
          for (;;) {
            for (const { blocks } of posts.get(userId) ?? []) {
              const approve = blocks
                .flatMap(({ elements = [] }) => elements)
                .find((one) => one.action_id === 'holdpoint.approve')
              if (!approve?.value?.includes(request.interactionId)) continue
              button = approve
              const text = blocks.map((block) => block.text?.text ?? '').join('\n')
              const amount = Number(/Amount: (-?\d+)/.exec(text)?.[1])
              return asRead(request, { args: { amount }, change: undefined })
            }
            await new Promise((resolve) => setTimeout(resolve, 2))
          }
        },
        async press({ interactionId }) {
          const actions = [{ ...button, action_ts: String(++presses) }]
          const payload = { type: 'block_actions', user: { id: userId, team_id: 'T1' }, actions }
          const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
          await holdpoint.fetch(signed(body, Date.now()))
          const { answer } = (await holdpoint.interactions.get({ interactionId, sessionId: userId })) ?? {}
          return answer?.action === 'approve' ? 'accepted' : 'not accepted'
        },
        close: () => {},
      }
    },
  }
}
