import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { answers } from './frames-wiring.ts'

/** Ada's WebSocket for one session, which the test sends frames over. */
export async function connectSocket(url: string, session: string) {
  const client = new WebSocket(`${url.replace('http', 'ws')}/ws?session=${session}&client=c1`, {
    headers: { authorization: 'Bearer ada' },
  })
  onTestFinished(() => client.terminate())
  const heard = answers()
  client.on('message', (data) => heard.take(String(data)))
  await new Promise((resolve) => client.once('open', resolve))
  return {
    closed: new Promise<number>((resolve) => client.once('close', resolve)),
    send(id: string, message: object) {
      client.send(JSON.stringify({ id, message: { clientId: 'c1', ...message } }))
      return heard.next()
    },
  }
}
