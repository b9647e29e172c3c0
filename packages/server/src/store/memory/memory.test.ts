import { storeSuite } from '@holdpoint/conformance/store'
import { memoryStore } from './memory.ts'

storeSuite('memory', async ({ offset }) => ({ store: memoryStore({ now: () => Date.now() + offset() }) }))
