import { useCallback, useEffect, useSyncExternalStore } from 'react'

/** A part of this package that is not in the first bundle of an app. */
export interface OnDemand<T> {
  /** The loaded part, or the fact that it could not be loaded. Empty before the first attempt ends. */
  readonly state: { readonly part?: T; readonly failed?: boolean }
  /** Loads the part, again if it failed before. Never rejects. */
  load(): Promise<void>
  subscribe(listener: () => void): () => void
}

/** Each part that the modules of a page declare, and how soon it is loaded. It only grows while they are evaluated. */
const declared = /* @__PURE__ */ new Map<OnDemand<unknown>, 'soon' | 'idle'>()

/**
 * Declares a part that is loaded when it is first needed, or ahead: `soon` after the first paint, or once the page has
 * been idle.
 */
export function onDemand<T>(source: () => Promise<T>, when: 'soon' | 'idle' = 'idle'): OnDemand<T> {
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
  declared.set(demand, when)
  // A server loads nothing over a network, and what is there can be rendered at once.
  if (when === 'soon' && typeof document === 'undefined') void demand.load()
  return demand
}

/**
 * Loads all parts, or those that are declared as `soon`, so that they are there without a network, and after a deployment
 * that removes the old files. Parts that a loaded part declares are loaded too. Without a network nothing is tried:
 * browsers never fetch a module again that they failed to fetch once.
 */
export async function loadParts(when?: 'soon'): Promise<void> {
  if (navigator.onLine === false) return
  const known = declared.size
  const wanted = [...declared].filter(([, its]) => !when || its === when)
  await Promise.all(wanted.map(([demand]) => demand.load()))
  if (declared.size > known) return loadParts(when)
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
