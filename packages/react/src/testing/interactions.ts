import type { InputField, Interaction } from '@holdpoint/core'
import type { AuthNeededEvent, InteractionRequestEvent, InteractionResponseEvent } from '@holdpoint/core/internal'

/** Questions as a session holds them, for tests and stories. Time stands still at `NOW`. */
export const NOW = Date.parse('2026-03-02T14:00:00Z')
const stamp = new Date(NOW).toISOString()
const envelope = { timestamp: stamp, sessionId: 'session-1', runId: 'run-1' }

type More = Partial<Omit<Interaction, 'request'>> & { request?: Partial<InteractionRequestEvent> }

function question(
  kind: string,
  request: Partial<InteractionRequestEvent>,
  more: Partial<Omit<Interaction, 'request'>>,
): Interaction {
  const { interactionId = 'q1', toolCallId = 'call-1', toolName = 'delete_files', ...rest } = more
  return {
    interactionId,
    kind: kind as Interaction['kind'],
    status: 'pending',
    toolCallId,
    toolName,
    runId: 'run-1',
    expiresAt: Number.NaN,
    deferred: false,
    connected: [],
    answeredHere: false,
    ...rest,
    request: {
      type: 'interaction_request',
      ...envelope,
      interactionId,
      toolCallId,
      toolName,
      interactionType: kind,
      timeoutMs: 300_000,
      expiresAt: new Date(NOW + 300_000).toISOString(),
      attempt: 1,
      ...request,
    },
  }
}

export function approval({ request, ...more }: More = {}): Interaction {
  return question(
    'approval',
    {
      prompt: 'Delete 3 files from the shared folder?',
      requester: { name: 'Research agent' },
      labels: { approve: 'Delete 3 files', deny: 'Keep files' },
      args: { files: ['drafts/notes.md', 'drafts/old-plan.md', 'drafts/scratch.txt'] },
      ...request,
    },
    more,
  )
}

export const allFields: InputField[] = [
  { id: 'name', type: 'text', label: 'Name', required: true, autocomplete: 'name' },
  { id: 'email', type: 'email', label: 'E-mail', required: true, description: 'Where the report is sent.' },
  { id: 'site', type: 'url', label: 'Website', placeholder: 'https://' },
  { id: 'about', type: 'textarea', label: 'About the project' },
  { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, maximum: 20, defaultValue: 1 },
  { id: 'ratio', type: 'number', label: 'Ratio', minimum: 0 },
  { id: 'day', type: 'date', label: 'Day' },
  { id: 'at', type: 'datetime', label: 'Starts at' },
  {
    id: 'format',
    type: 'select',
    label: 'Format',
    options: [
      { value: 'pdf', label: 'PDF' },
      { value: 'html', label: 'Web page' },
    ],
  },
  {
    id: 'size',
    type: 'radio',
    label: 'Paper',
    required: true,
    options: [
      { value: 'a4', label: 'A4' },
      { value: 'letter', label: 'Letter', description: 'Used in North America.' },
    ],
  },
  {
    id: 'topics',
    type: 'multiselect',
    label: 'Topics',
    options: [
      { value: 'sales', label: 'Sales' },
      { value: 'costs', label: 'Costs' },
      { value: 'people', label: 'People' },
    ],
  },
  { id: 'notify', type: 'checkbox', label: 'Tell the team when it is done' },
  { id: 'key', type: 'secret', label: 'API key' },
  { id: 'data', type: 'file', label: 'Data', accept: ['.csv'], multiple: true },
]

export function form({ request, ...more }: More = {}): Interaction {
  return question(
    'input',
    {
      prompt: 'Where should the report go, and how many copies?',
      requester: { name: 'Report agent' },
      inputSchema: {
        type: 'form',
        fields: [
          { id: 'email', type: 'email', label: 'E-mail', required: true },
          { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, maximum: 20, defaultValue: 1 },
        ],
      },
      ...request,
    },
    { toolName: 'send_report', ...more },
  )
}

export function connect(
  more: Partial<Omit<Interaction, 'request'>> & { request?: Partial<AuthNeededEvent> } = {},
): Interaction {
  const { request, ...rest } = more
  const base = question('connect', {}, { toolName: 'post_summary', expiresAt: Number.NaN, ...rest })
  return {
    ...base,
    request: {
      type: 'auth_needed',
      ...envelope,
      interactionId: base.interactionId,
      toolCallId: base.toolCallId,
      toolName: base.toolName,
      generationId: 'run-1',
      conversationId: 'session-1',
      integrations: ['slack', 'gmail', 'google-calendar'],
      reason: 'To post the summary and send the invitations.',
      expiresAt: new Date(NOW + 600_000).toISOString(),
      ...request,
    },
  }
}

export function unknown({ request, ...more }: More = {}): Interaction {
  const base = question(
    'signature',
    { prompt: 'Sign the contract with your device.', ...request },
    { toolName: 'sign_contract', ...more },
  )
  return { ...base, kind: 'unknown' }
}

/** The event of an answer. */
export function answered(
  interaction: Interaction,
  response: Partial<InteractionResponseEvent> & Pick<InteractionResponseEvent, 'action'>,
  by: { here?: boolean; name?: string } = {},
): Interaction {
  const { here = true, name } = by
  const event: InteractionResponseEvent = {
    type: 'interaction_response',
    ...envelope,
    timestamp: new Date(NOW + 120_000).toISOString(),
    interactionId: interaction.interactionId,
    toolCallId: interaction.toolCallId,
    respondedBy: { clientId: here ? 'client-1' : 'client-2', ...(name ? { name } : {}) },
    ...response,
  }
  return {
    ...interaction,
    status: 'answered',
    answeredHere: here,
    answeredBy: event.respondedBy,
    answeredAt: event.timestamp,
    response: event,
  }
}

/** A change to two files, in three hunks. */
export const diff: NonNullable<InteractionRequestEvent['diff']> = [
  {
    path: 'src/invoice.ts',
    status: 'modified',
    hunks: [
      {
        id: 'h1',
        oldStart: 10,
        newStart: 10,
        header: 'function total()',
        lines: [' const rate = 0.19', '-return net * rate', '+return net * (1 + rate)', ' }'],
      },
      { id: 'h2', oldStart: 40, newStart: 40, lines: [' export {', '-  sum,', '+  total,', ' }'] },
    ],
  },
  {
    path: 'README.md',
    status: 'modified',
    hunks: [{ id: 'h3', oldStart: 1, newStart: 1, lines: ['-# Invoices', '+# Invoicing'] }],
  },
]

/** A large change: 2,000 new lines, unchanged lines around a small one, and files that are added, renamed or deleted. */
export const largeDiff: NonNullable<InteractionRequestEvent['diff']> = [
  {
    path: 'src/prices.ts',
    status: 'modified',
    hunks: [
      {
        id: 'rate',
        oldStart: 1,
        newStart: 1,
        lines: [
          ...Array.from({ length: 24 }, (_, line) => ` const price${line + 1} = ${line * 5}`),
          '-const rate = 0.19',
          '+const rate = 0.2',
          ...Array.from({ length: 12 }, (_, line) => ` export const item${line + 1} = price${line + 1} * rate`),
        ],
      },
    ],
  },
  {
    path: 'data/cities.csv',
    status: 'added',
    hunks: [
      {
        id: 'cities',
        oldStart: 0,
        newStart: 1,
        lines: Array.from({ length: 2_000 }, (_, line) => `+${line + 1};City ${line + 1};${(line * 7919) % 100_000}`),
      },
    ],
  },
  { path: 'docs/prices.md', oldPath: 'docs/rates.md', status: 'renamed', hunks: [] },
  { path: 'assets/logo.png', status: 'modified', hunks: [] },
  { path: 'src/old-prices.ts', status: 'deleted', hunks: [] },
]
