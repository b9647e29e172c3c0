import { createContext, useContext } from 'react'
import type { EditorKit } from './editor-kit.ts'

const KitContext = /* @__PURE__ */ createContext<EditorKit | null>(null)

/** Provides the editors with the code of the first bundle. */
export const KitProvider = KitContext.Provider
export const useKit = (): EditorKit => useContext(KitContext)!
