export type { VapidKeys } from './vapid.ts'
export { webPush } from './web-push.ts'
