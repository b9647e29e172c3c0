import { useCallback, useEffect, useSyncExternalStore } from 'react'

/** A part of this package that is not in the first bundle of an app. */
export interface OnDemand<T> {
  /** The loaded part, or the fact that it could not be loaded. Empty before the first attempt ends. */
  readonly state: { readonly part?: T; readonly failed?: boolean }
  /** Loads the part, again if it failed before. Never rejects. */
  load(): Promise<void>
  subscribe(listener: () => void): () => void
}

/** Each part that the modules of a page declare. It only grows while they are evaluated. */
const declared = /* @__PURE__ */ new Set<OnDemand<unknown>>()

/** Declares a part that is loaded when the page is idle, or when it is first needed. */
export function onDemand<T>(source: () => Promise<T>): OnDemand<T> {
  const listeners = new Set<() => void>()
  let loading: Promise<void> | undefined
  const demand = {
    state: nothing as OnDemand<T>['state'],
    load() {
      loading ??= source().then(
        (part) => become({ part }),
        () => {
          loading = undefined
          become({ failed: true })
        },
      )
      return loading
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const become = (state: OnDemand<T>['state']) => {
    demand.state = state
    for (const listener of listeners) listener()
  }
  declared.add(demand)
  return demand
}

/**
 * Loads all parts, so that they are there without a network, and after a deployment that removes the old files. Without
 * a network nothing is tried: browsers never fetch a module again that they failed to fetch once.
 */
export async function loadParts(): Promise<void> {
  if (navigator.onLine !== false) await Promise.all([...declared].map((demand) => demand.state.part ?? demand.load()))
}

const nothing: OnDemand<never>['state'] = {}
const onServer = () => nothing

/**
 * Reads a part, and loads it once the component is on the page. It is never there in the first render of a page that a
 * server has rendered.
 */
export function useOnDemand<T>(demand: OnDemand<T>): OnDemand<T>['state'] & { load: () => void } {
  const state = useSyncExternalStore<OnDemand<T>['state']>(demand.subscribe, () => demand.state, onServer)
  const load = useCallback(() => void demand.load(), [demand])
  useEffect(() => {
    if (state.part) return
    if (!state.failed && navigator.onLine !== false) load()
    window.addEventListener('online', load)
    return () => window.removeEventListener('online', load)
  }, [state, load])
  return { ...state, load }
}
