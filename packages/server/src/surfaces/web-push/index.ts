export type { VapidKeys } from './vapid.ts'
export { webPushSurface } from './web-push.ts'
