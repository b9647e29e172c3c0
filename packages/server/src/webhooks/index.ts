export type { VaultKey } from '../security/vault.ts'
export {
  createWebhookReceiver,
  type ReceivedWebhook,
  type Webhook,
  type WebhookGrant,
  type WebhookOutcome,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './receive.ts'
export {
  createWebhookSender,
  type DeadLetter,
  type WebhookSender,
  type WebhookSenderOptions,
  type WebhookTarget,
} from './send.ts'
export { type SignInput, signWebhook, type VerifyInput, verifyWebhook, type WebhookHeaders } from './signature.ts'
export type { WebhookSession } from './webhook-secrets.ts'
