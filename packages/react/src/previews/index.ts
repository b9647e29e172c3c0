export { argumentChecks } from './definition/argument-checks.ts'
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
