export { arabic } from '@holdpoint/core/messages/ar'
