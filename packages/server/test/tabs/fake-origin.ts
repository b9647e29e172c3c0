import type { Environment } from '@holdpoint/core/transport'

type Tabs = NonNullable<Environment['tabs']>
type Task = Parameters<Tabs['locks']['request']>[2]

/** Time in pages runs so much faster, so that a frozen page is noticed within a test. */
export const SPEED = 20

interface Waiting {
  page: Page
  start(): void
  reject(error: Error): void
}

/** A page that runs, is frozen (nothing in it runs, and its requests continue), or is gone. */
export interface Page {
  readonly environment: Partial<Environment>
  freeze(): void
  thaw(): void
  /** The process of the page ends without a word. */
  crash(): void
  /** The page is left: it receives the event, and then it is gone. */
  leave(): void
  /** Runs in the page, once it runs. */
  run(task: () => void): void
}

/** The pages of one origin, with Web Locks and BroadcastChannel as a browser has them. */
export function fakeOrigin(answer: (request: Request) => Promise<Response>) {
  const held = new Map<string, Waiting>()
  const queues = new Map<string, Waiting[]>()
  const channels = new Set<{ name: string; page: Page; received(message: unknown): void }>()
  const requests: { path: string; page: Page }[] = []
  const queueOf = (name: string) => queues.get(name) ?? queues.set(name, []).get(name)!

  function free(name: string, entry: Waiting) {
    if (held.get(name) !== entry) return
    held.delete(name)
    queueOf(name).shift()?.start()
  }

  function request(page: Page, name: string, how: Parameters<Tabs['locks']['request']>[1], task: Task) {
    return new Promise<unknown>((resolve, reject) => {
      const entry: Waiting = {
        page,
        start() {
          held.set(name, entry)
          page.run(() => {
            Promise.resolve(task({})).then((value) => {
              free(name, entry)
              page.run(() => resolve(value))
            }, reject)
          })
        },
        reject: (error) => page.run(() => reject(error)),
      }
      const aborted = () => Object.assign(new Error('aborted'), { name: 'AbortError' })
      if (how.steal) {
        held.get(name)?.reject(aborted())
        entry.start()
      } else if (!held.has(name)) entry.start()
      else if (how.ifAvailable) page.run(() => resolve(task(null)))
      else {
        queueOf(name).push(entry)
        how.signal?.addEventListener('abort', () => {
          const at = queueOf(name).indexOf(entry)
          if (at >= 0) queueOf(name).splice(at, 1)
          if (held.get(name) !== entry) entry.reject(aborted())
        })
      }
    })
  }

  function open(): Page {
    let state: 'runs' | 'frozen' | 'gone' = 'runs'
    let kept: (() => void)[] = []
    const stopped = new Set<() => void>()
    const end = new AbortController()
    const run = (task: () => void) => {
      if (state === 'runs') setImmediate(() => (state === 'runs' ? task() : run(task)))
      else if (state === 'frozen') kept.push(task)
    }
    const awake = () => new Promise<void>((resolve) => run(resolve))
    function crash() {
      state = 'gone'
      kept = []
      end.abort()
      for (const channel of channels) if (channel.page === page) channels.delete(channel)
      for (const [name, queue] of queues) {
        queues.set(
          name,
          queue.filter((entry) => entry.page !== page),
        )
      }
      for (const [name, entry] of held) if (entry.page === page) free(name, entry)
    }
    const start = performance.now()
    const page: Page = {
      run,
      crash,
      freeze() {
        state = 'frozen'
      },
      thaw() {
        state = 'runs'
        for (const task of kept.splice(0)) run(task)
      },
      leave() {
        for (const tell of stopped) tell()
        crash()
      },
      environment: {
        now: () => Math.floor(start + (performance.now() - start) * SPEED),
        setTimeout: (callback, ms) => setTimeout(() => run(callback), ms / SPEED),
        clearTimeout: (timer) => clearTimeout(timer as never),
        async fetch(input, init) {
          const asked = new Request(input as string, init)
          const signal = AbortSignal.any([asked.signal, end.signal])
          const headers = new Headers(asked.headers)
          headers.set('origin', 'http://localhost')
          requests.push({ path: new URL(asked.url).pathname, page })
          const sent = new Request(asked, { headers, signal })
          const response = await answer(sent)
          await awake()
          return gated(response, awake)
        },
        tabs: {
          locks: { request: (name, how, task) => request(page, name, how, task) },
          channel(name, received) {
            const channel = { name, page, received }
            channels.add(channel)
            return {
              post(message) {
                if (state === 'gone') return
                if (!channels.has(channel)) throw new Error('the channel is closed')
                for (const other of channels) {
                  if (other === channel || other.name !== name) continue
                  const copy = structuredClone(message)
                  other.page.run(() => channels.has(other) && other.received(copy))
                }
              },
              close: () => void channels.delete(channel),
            }
          },
          whenStopped(tell) {
            stopped.add(tell)
            return () => void stopped.delete(tell)
          },
        },
      },
    }
    return page
  }
  return {
    open,
    requests,
    /** The page that holds a lock; the leader. */
    leader: () => [...held.values()][0]?.page,
    /** Names of the locks that are held. */
    groups: () => [...held.keys()],
    channels,
  }
}

/** A page that does not run reads nothing. */
function gated(response: Response, awake: () => Promise<void>): Response {
  const reader = response.body?.getReader()
  if (!reader) return response
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      await awake()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => reader.cancel(),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
