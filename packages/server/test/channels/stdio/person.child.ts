import { createReadStream, createWriteStream } from 'node:fs'
import { createHoldpointClient, messagePort } from '@holdpoint/core'
import { answerInTerminal, stdioPort } from '@holdpoint/core/node'

/** The person's side as a program of its own: lines on its standard streams, keys and screen on 3 and 4. */
const transport = messagePort(stdioPort({ input: process.stdin, output: process.stdout }))
const client = createHoldpointClient({ sessionId: 'chat', transport })
await answerInTerminal({ client, input: createReadStream('', { fd: 3 }), output: createWriteStream('', { fd: 4 }) })
client.close()
process.exit()
