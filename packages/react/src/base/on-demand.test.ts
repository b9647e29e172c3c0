import { expect, onTestFinished, test, vi } from 'vitest'
import { loadParts, onDemand } from './on-demand.ts'

/** Declares a part whose source counts how often it is requested. */
function part(when: 'soon' | 'idle' = 'idle') {
  const source = vi.fn<() => Promise<string>>().mockResolvedValue('the part')
  return { source, demand: onDemand(source, when) }
}

function offline() {
  vi.stubGlobal('navigator', { onLine: false })
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('no part is requested ahead while the browser is offline, and each is when it is online', async () => {
  const { source, demand } = part()
  offline()
  await loadParts()
  expect(source).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
  await loadParts()
  expect(demand.state.part).toBe('the part')
})

test('a part that is loaded is not requested again, and one that failed is', async () => {
  const [loaded, broken] = [part(), part()]
  broken.source.mockRejectedValueOnce(new Error('no network'))
  await loadParts()
  expect(broken.demand.state).toEqual({ failed: true })
  await loadParts()
  expect(loaded.source).toHaveBeenCalledTimes(1)
  expect(broken.demand.state).toEqual({ part: 'the part' })
})

test('a part that a loaded part declares is loaded too', async () => {
  let inner: ReturnType<typeof part> | undefined
  onDemand(async () => {
    inner = part()
  })
  await loadParts()
  expect(inner?.demand.state.part).toBe('the part')
})

test('parts that are declared as soon are loaded without the others', async () => {
  const idle = part()
  vi.stubGlobal('document', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const soon = part('soon')
  await loadParts('soon')
  expect(soon.demand.state.part).toBe('the part')
  expect(idle.source).not.toHaveBeenCalled()
})

test('a server loads a part that is declared as soon at once, and no other', () => {
  const [soon, idle] = [part('soon'), part()]
  expect(soon.source).toHaveBeenCalledTimes(1)
  expect(idle.source).not.toHaveBeenCalled()
})
