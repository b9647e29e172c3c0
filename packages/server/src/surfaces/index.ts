export type { InteractionRecord } from '../engine/api/interactions.ts'
export { addSurfaces } from './add-surfaces.ts'
export type { NotificationPlan } from './routing/notification-plan.ts'
export type { Recipient, Surface } from './surface.ts'
