export { accepts } from './definition/accepts.ts'
export { definePreview, type PreviewProps } from './definition/define-preview.tsx'
export {
  CalendarPreview,
  EmailPreview,
  FilesPreview,
  HttpPreview,
  PaymentPreview,
  ShellPreview,
  SqlPreview,
} from './shipped.ts'
