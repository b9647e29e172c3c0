import { storeSuite } from '@holdpoint/conformance/store'
import { memoryStore } from './index.ts'

storeSuite('memory', async ({ offset }) => ({ store: memoryStore({ now: () => Date.now() + offset() }) }))
