export { german } from '@holdpoint/core/messages/de'
