import { openStore } from '../open-store.ts'
import { onStores } from '../places.ts'
import { onEachSurface } from './each-surface.ts'

await onStores('shown', ['redis'], (world) => onEachSurface(() => openStore(world().store)))
