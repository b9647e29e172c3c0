import type { ToolPreview } from '../settings/context.ts'
import { definePreview } from './definition/define-preview.tsx'
import * as fields from './definition/fields.ts'

/** Shows the arguments of a tool that sends an e-mail as a draft: recipients, subject and text. */
export const EmailPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.emailFields,
  load: () => import('./views/email.tsx'),
})

/** Shows the arguments of a tool that runs a command: the command as it is run, its folder and its environment. */
export const ShellPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.shellFields,
  load: () => import('./views/shell.tsx'),
})

/** Shows the arguments of a tool that queries a database: the statement, and its parameters by number. */
export const SqlPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.sqlFields,
  load: () => import('./views/sql.tsx'),
})

/** Shows the arguments of a tool that sends an HTTP request: method, host, address, headers and body. */
export const HttpPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.httpFields,
  load: () => import('./views/http.tsx'),
})

/** Shows the arguments of a tool that pays: the amount with its currency, the recipient and the reference. */
export const PaymentPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.paymentFields,
  load: () => import('./views/payment.tsx'),
})

/** Shows the arguments of a tool that creates an event: title, times, place and guests. */
export const CalendarPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.calendarFields,
  load: () => import('./views/calendar.tsx'),
})

/** Shows the arguments of a tool that works on files: how many, and each with its folder. */
export const FilesPreview: ToolPreview = /* @__PURE__ */ definePreview({
  fields: fields.filesFields,
  load: () => import('./views/files.tsx'),
})
