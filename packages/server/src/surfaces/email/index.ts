export { email, type MailTransport } from './email.ts'
