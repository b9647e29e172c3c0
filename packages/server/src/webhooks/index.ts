export { createWebhookReceiver } from './receive.ts'
export { createWebhookSender } from './send.ts'
export { signWebhook, verifyWebhook } from './signature.ts'
