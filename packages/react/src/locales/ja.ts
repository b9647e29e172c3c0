export { japanese } from '@holdpoint/core/messages/ja'
