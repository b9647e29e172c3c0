export { spanish } from '@holdpoint/core/messages/es'
