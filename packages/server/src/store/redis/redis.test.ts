import { describeWith, redisUrl } from '@holdpoint/conformance/services'
import { storeSuite } from '@holdpoint/conformance/store'
import { Redis } from 'ioredis'
import { disconnect } from './connection.ts'
import { redisStore } from './index.ts'

describeWith('on a real Redis', await redisUrl(), (url) => {
  storeSuite('redis', async ({ offset }) => {
    const prefix = `holdpoint-test-${crypto.randomUUID()}`
    const make = () => redisStore({ url, prefix, clockOffset: offset })
    return { store: make(), another: async () => make(), dispose: () => drop(url, prefix) }
  })
})

async function drop(url: string, prefix: string): Promise<void> {
  const client = new Redis(url)
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await client.unlink(...(keys as string[]))
  }
  await disconnect(client)
}
