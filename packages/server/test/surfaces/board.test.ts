import { surfaceSuite } from '@holdpoint/conformance/surface'
import { boardWorld } from './support/board.ts'

surfaceSuite('a provider that finds messages again', { make: () => boardWorld(), sendsAfterCrash: 1 })
surfaceSuite('a provider that recognizes nothing', { make: () => boardWorld({ finds: false }), sendsAfterCrash: 2 })
