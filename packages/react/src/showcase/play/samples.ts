import { diff } from '../../testing/interactions.ts'
import { previewed } from '../../testing/previewed.ts'

/** The question of a sample, as a tool asks it. */
export interface Sample {
  toolName: string
  prompt: string
  approve: string
  deny: string
  args?: unknown
  diff?: typeof diff
}

const from = (key: keyof typeof previewed): Sample => {
  const { toolName, request } = previewed[key]()
  const { prompt, labels, args } = request as {
    prompt: string
    labels: { approve: string; deny: string }
    args: unknown
  }
  return { toolName, prompt, ...labels, args }
}

/** The requests of the agent of the playground. */
export const samples = {
  files: {
    toolName: 'delete_files',
    prompt: 'Delete 3 files from the shared folder?',
    approve: 'Delete 3 files',
    deny: 'Keep files',
    args: { files: ['drafts/notes.md', 'drafts/old-plan.md', 'drafts/scratch.txt'] },
  },
  'e-mail': from('email'),
  payment: from('payment'),
  'shell command': from('shell'),
  SQL: from('sql'),
  'HTTP request': from('http'),
  'calendar event': from('calendar'),
  'code change': {
    toolName: 'edit_files',
    prompt: 'Apply these changes?',
    approve: 'Apply',
    deny: 'Discard',
    diff,
  },
} as const satisfies Readonly<Record<string, Sample>>

export type SampleName = keyof typeof samples
