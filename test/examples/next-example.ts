import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ExampleServer } from './example-server.ts'
import { nextServer } from './next-server.ts'
import { openBrowser } from './people.ts'

export interface NextExample {
  server: ExampleServer
  people: Awaited<ReturnType<typeof openBrowser>>
}

/** Starts the Next.js example and a browser before the tests of a file, and ends both after them. */
export function nextExample(env: Record<string, string> = {}): NextExample {
  const example = {} as NextExample
  beforeAll(async () => {
    example.server = await nextServer(env)
    await example.server.start()
    example.people = await openBrowser(() => example.server.url)
  }, 600_000)
  afterAll(async () => {
    await example.people?.close()
    await example.server?.dispose()
  })
  afterEach(() => example.people.leaveAll())
  return example
}
