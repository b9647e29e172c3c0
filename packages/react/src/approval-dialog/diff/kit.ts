import { createContext, useContext } from 'react'
import type { DiffKit } from '../arguments/diff-kit.ts'

const KitContext = /* @__PURE__ */ createContext<DiffKit | null>(null)

/** Provides the viewer with the code of the first bundle. */
export const KitProvider = KitContext.Provider
export const useKit = (): DiffKit => useContext(KitContext)!
