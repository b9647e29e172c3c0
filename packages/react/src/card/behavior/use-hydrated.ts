import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on a server and in the first render, which know neither the reader's time zone nor their device. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
