export { usePushNotifications } from './use-push-notifications.ts'
