export { french } from '@holdpoint/core/messages/fr'
