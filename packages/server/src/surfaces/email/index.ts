export { emailSurface, type MailTransport } from './email.ts'
