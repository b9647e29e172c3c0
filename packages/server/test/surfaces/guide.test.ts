import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { type SeenMessage, surfaceSuite } from '@holdpoint/conformance/surface'
import type { Surface } from '@holdpoint/server/surfaces'

/** The code of the guide "Write a surface", as it is in the guide. */
const guide = readFileSync(new URL('../../../../docs/surfaces.md', import.meta.url), 'utf8')
const [, code = ''] = /```ts runnable\n(.*?)```/s.exec(guide) ?? []
const script = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`
const { chat }: { chat(api: object): Surface } = await import(/* @vite-ignore */ script)

/** A chat that shows plain text and finds its messages by the id of their sender. */
function chatWorld() {
  const posts = new Map<string, SeenMessage & { clientId: string }>()
  const reminders: string[] = []
  let isDown = false
  let limit = 0
  let calls = 0
  const call = () => {
    calls++
    if (isDown) throw new Error('The chat is down.')
    const retryAfterMs = limit * 1_000
    limit = 0
    if (retryAfterMs > 0) throw Object.assign(new Error('Too many messages.'), { retryAfterMs })
  }
  const surface = chat({
    async post(userId: string, text: string, clientId: string) {
      call()
      const first = [...posts.values()].find((post) => post.userId === userId)
      if (text.startsWith('Reminder') && first) {
        first.reminders++
        return { id: `r${reminders.push(clientId) - 1}` }
      } else {
        const shown = text.replace(/[<>]/g, (character) => (character === '<' ? '‹' : '›'))
        posts.set(`p${posts.size}`, { userId, sends: 1, reminders: 0, text: shown, clientId })
      }
      return { id: `p${posts.size - 1}` }
    },
    async edit(id: string, text: string) {
      call()
      const post = posts.get(id)
      if (post) post.outcome = text
    },
    async findByClientId(clientId: string) {
      call()
      const found = [...posts].find(([, post]) => post.clientId === clientId)
      const reminder = reminders.indexOf(clientId)
      if (reminder >= 0) return { id: `r${reminder}` }
      return found ? { id: found[0] } : null
    },
  })
  return {
    surface,
    messages: () => [...posts.values()],
    provider: {
      down() {
        isDown = true
      },
      up() {
        isDown = false
      },
      limitOnce(seconds: number) {
        limit = seconds
      },
      calls: () => calls,
    },
  }
}

surfaceSuite('the surface of the guide', { make: chatWorld, sendsAfterCrash: 1 })
