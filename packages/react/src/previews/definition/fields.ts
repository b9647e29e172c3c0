import { hostOf } from '../../wording/escape.ts'
import { argumentChecks } from './argument-checks.ts'

const { text, texts, number, listOf, pairs, object, anything } = argumentChecks

const isWebAddress = (value: unknown): value is string => text(value) && hostOf(value) !== null
const isCurrency = (value: unknown): value is string => text(value) && /^[A-Z]{3}$/.test(value)
const isMethod = (value: unknown): value is string => text(value) && /^[A-Za-z]{3,10}$/.test(value)
/** An ISO date or time. */
const isMoment = (value: unknown): value is string =>
  text(value) && /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(value)
const isPerson = /* @__PURE__ */ object({ email: text, name: text }, 'email')
const isFile = /* @__PURE__ */ object({ path: text, size: number }, 'path')

const field = <A extends (value: unknown) => boolean>(accepts: A, ...names: string[]) => ({ accepts, names }) as const
const needed = <A extends (value: unknown) => boolean>(accepts: A, ...names: string[]) =>
  ({ accepts, names, required: true }) as const

// Functions that are called once: a bundler drops the fields of previews that an application does not import.

/** An e-mail draft. */
export const emailFields = /* @__PURE__ */ (() => ({
  from: field(text, 'from', 'sender'),
  to: needed(texts, 'to', 'recipients', 'recipient'),
  cc: field(texts, 'cc'),
  bcc: field(texts, 'bcc'),
  replyTo: field(texts, 'reply_to', 'replyTo'),
  subject: field(text, 'subject', 'title'),
  body: needed(text, 'body', 'text', 'content', 'message'),
  attachments: field(texts, 'attachments', 'files'),
}))()

/** A command of a shell. A list is the command and its arguments. */
export const shellFields = /* @__PURE__ */ (() => ({
  command: needed(texts, 'command', 'cmd', 'script'),
  folder: field(text, 'cwd', 'workdir', 'working_directory', 'directory'),
  environment: field(pairs, 'env', 'environment'),
}))()

/** A statement of a database. */
export const sqlFields = /* @__PURE__ */ (() => ({
  query: needed(text, 'query', 'sql', 'statement'),
  database: field(text, 'database', 'db', 'schema'),
  parameters: field(listOf(anything), 'parameters', 'params', 'values', 'bindings'),
}))()

/** A request to a web server. */
export const httpFields = /* @__PURE__ */ (() => ({
  method: field(isMethod, 'method', 'verb'),
  url: needed(isWebAddress, 'url', 'uri', 'endpoint'),
  headers: field(pairs, 'headers'),
  body: field(anything, 'body', 'data', 'json', 'payload'),
}))()

/** A payment. An amount in cents has cents in its name. */
export const paymentFields = /* @__PURE__ */ (() => ({
  amount: needed(number, 'amount', 'total', 'amount_cents', 'amountCents', 'total_cents'),
  currency: needed(isCurrency, 'currency'),
  recipient: needed(text, 'to', 'recipient', 'payee', 'beneficiary', 'vendor'),
  account: field(text, 'iban', 'account', 'account_number', 'to_account'),
  from: field(text, 'from', 'from_account', 'source'),
  reference: field(text, 'reference', 'memo', 'purpose', 'description', 'note'),
  date: field(isMoment, 'date', 'due_date', 'execution_date'),
}))()

/** An event of a calendar. */
export const calendarFields = /* @__PURE__ */ (() => ({
  title: needed(text, 'title', 'summary', 'name', 'subject'),
  start: needed(isMoment, 'start', 'start_time', 'startTime', 'starts_at', 'begin'),
  end: field(isMoment, 'end', 'end_time', 'endTime', 'ends_at'),
  timeZone: field(text, 'time_zone', 'timeZone', 'timezone'),
  place: field(text, 'location', 'place', 'where'),
  guests: field(
    listOf((one): one is string | Person => text(one) || isPerson(one)),
    'attendees',
    'guests',
    'participants',
    'invitees',
  ),
  description: field(text, 'description', 'notes', 'body', 'agenda'),
}))()

/** A list of files. */
export const filesFields = /* @__PURE__ */ (() => ({
  files: needed(
    listOf((one): one is string | FileEntry => text(one) || isFile(one)),
    'files',
    'paths',
    'file_paths',
  ),
  folder: field(text, 'directory', 'folder', 'root', 'cwd'),
}))()

export interface Person {
  readonly email?: string
  readonly name?: string
}

export interface FileEntry {
  readonly path?: string
  readonly size?: number
}
