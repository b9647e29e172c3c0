import { createContext, useContext } from 'react'
import type { ControlKit } from '../plain/control-kit.ts'

const KitContext = /* @__PURE__ */ createContext<ControlKit | null>(null)

/** Provides the controls with the code of the first bundle. */
export const KitProvider = KitContext.Provider
export const useKit = (): ControlKit => useContext(KitContext)!
