import { tokenStoreSuite } from '@holdpoint/conformance/token-store'
import { memoryTokenStore } from './memory-token-store.ts'

tokenStoreSuite('memory', {
  open: async () => {
    const store = memoryTokenStore()
    return { store, again: async () => store }
  },
})
