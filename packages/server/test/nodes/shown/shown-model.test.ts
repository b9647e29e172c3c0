import { memoryStore } from '@holdpoint/server/memory'
import { describe } from 'vitest'
import { openStore } from '../open-store.ts'
import { onStores } from '../places.ts'
import { onEachSurface } from './each-surface.ts'

describe('memory', () => onEachSurface(memoryStore))

await onStores('shown', ['sqlite'], (world) => onEachSurface(() => openStore(world().store)))
