import type { Interaction } from '@holdpoint/core'
import * as previews from '../previews/index.ts'
import { approval } from './interactions.ts'

type Args = Readonly<Record<string, unknown>>
const sample =
  (toolName: string, prompt: string, approve: string, args: Args) =>
  (more: Args = {}): Interaction =>
    approval({ toolName, request: { prompt, labels: { approve, deny: 'Cancel' }, args: { ...args, ...more } } })

/** Questions whose tools have previews. */
export const previewed = {
  email: sample('mail_customer', 'Send this e-mail to the customer?', 'Send', {
    to: ['grace@example.com', 'alan@example.org'],
    cc: 'support@example.com',
    subject: 'Your invoice for February',
    body: 'Dear Grace,\n\nthe invoice for February is attached. It is due on March 15.\n\nBest regards\nAda',
    attachments: ['invoice-2026-02.pdf'],
  }),
  shell: sample('run_command', 'Delete the build folder and build again?', 'Run', {
    command: 'rm -rf dist && npm run build -- --mode production',
    cwd: '/home/ada/shop',
    env: { NODE_ENV: 'production', WORKERS: 4 },
  }),
  sql: sample('query_database', 'Mark the overdue invoices as reminded?', 'Update 12 invoices', {
    query: "UPDATE invoices\nSET reminded_at = now()\nWHERE due < $1 AND status = $2 AND note <> 'select'",
    params: ['2026-03-01', 'open'],
    database: 'billing',
  }),
  http: sample('call_api', 'Create the customer in the CRM?', 'Create customer', {
    method: 'POST',
    url: 'https://crm.example.com/v1/customers?notify=true',
    headers: { 'content-type': 'application/json' },
    body: { name: 'Acme GmbH', plan: 'team', seats: 12 },
  }),
  payment: sample('pay_invoice', 'Pay this invoice?', 'Pay €12,499.00', {
    amount_cents: 1_249_900,
    currency: 'EUR',
    recipient: 'Nordlicht Druck GmbH',
    iban: 'DE89370400440532013000',
    reference: 'Invoice 2026-0117',
    due_date: '2026-03-15',
  }),
  calendar: sample('create_event', 'Invite both to the review?', 'Send invitations', {
    title: 'Quarterly review',
    start: '2026-03-10T14:00',
    end: '2026-03-10T15:30',
    time_zone: 'Europe/Berlin',
    location: 'Room 4.12',
    attendees: ['grace@example.com', { name: 'Alan Turing', email: 'alan@example.org' }],
    description: 'Figures of the first quarter, then the plan for the second.',
  }),
  files: sample('archive_files', 'Archive these files?', 'Archive 3 files', {
    files: [
      { path: 'reports/2024/q4.pdf', size: 482_113 },
      { path: 'reports/2024/summary.md', size: 4_120 },
      { path: 'notes.txt', size: 310 },
    ],
    directory: '/srv/shared',
  }),
} as const

/** The previews of the tools in the samples. */
export const renderers = {
  mail_customer: previews.EmailPreview,
  run_command: previews.ShellPreview,
  query_database: previews.SqlPreview,
  call_api: previews.HttpPreview,
  pay_invoice: previews.PaymentPreview,
  create_event: previews.CalendarPreview,
  archive_files: previews.FilesPreview,
}
