export { english, plural } from '@holdpoint/core/messages'
