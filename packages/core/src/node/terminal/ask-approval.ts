import type { Answer } from '../../machine/state/types.ts'
import type { InteractionRequestEvent } from '../../protocol/events.ts'
import type { ApprovalScope } from '../../protocol/interaction.ts'

import { readableText } from '../../readable/index.ts'
import { escapeInvisible, escapeToOneLine } from '../../text/escape-invisible.ts'
import { toolWords } from '../../text/names.ts'
import { editArgs } from './edit-args.ts'
import { indented, type Prompter, TOO_EARLY } from './prompter.ts'

const KEYS = { once: 'y', session: 's', always: 'a' } as const

/** Shows the complete request and asks. An empty line never answers; it asks again. */
export async function askApproval(
  request: InteractionRequestEvent,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<Answer> {
  if (request.risk === 'high') prompter.print('This is dangerous.')
  if (request.draftArgs !== undefined) printRefusedEdit(request, prompter)
  if (request.args !== undefined) prompter.print(indented(readableText(request.args)))
  for (const file of request.diff ?? []) {
    prompter.print(indented(`${file.status ?? 'modified'} ${escapeToOneLine(file.path)}`))
    for (const hunk of file.hunks) prompter.print(indented(hunk.lines.map((line) => escapeInvisible(line)).join('\n')))
  }
  for (const { label, value, tone } of request.facts ?? []) {
    const mark = tone === 'danger' || tone === 'warning' ? '!' : '·'
    prompter.print(`  ${mark} ${escapeToOneLine(value === undefined ? label : `${label}: ${value}`)}`)
  }
  const offered = (request.approvalScopes?.length ? request.approvalScopes : (['once'] as const)).map(
    (scope) => [scope, KEYS[scope], wordsOf(scope, request)] as const,
  )
  const { approve, deny } = request.labels ?? {}
  for (const [scope, key, words] of offered) {
    prompter.print(`  ${key}  ${scope === 'once' && approve ? escapeToOneLine(approve) : words}`)
  }
  prompter.print(`  n  ${deny ? escapeToOneLine(deny) : 'no'}`)
  if (request.editable) prompter.print('  e  change what will run')
  if (request.args !== undefined) prompter.print('  j  show the exact request as JSON')
  const keys = [...offered.map(([, key]) => key), 'n'].join('/')
  for (;;) {
    const typed = (await prompter.line(`[${keys}] `, { signal })).trim().toLowerCase()
    const scope = offered.find(([, key, words]) => typed === key || typed === words.split(',')[0])?.[0]
    if (scope && !prompter.readable()) {
      prompter.print(TOO_EARLY)
      continue
    }
    if (scope) return { action: 'approve', approvalScope: scope }
    if (typed === 'j') prompter.print(indented(escapeInvisible(JSON.stringify(request.args, null, 2) ?? '')))
    if (typed === 'e' && request.editable) {
      const edited = await editArgs(prompter, signal)
      if (edited) return edited
    }
    if (typed === 'n' || typed === 'no') {
      const reason = (await prompter.line('Why? (may stay empty) ', { signal })).trim()
      return { action: 'deny', ...(reason ? { reason } : {}) }
    }
  }
}

/** An edit that was refused on another surface. An approval covers the original arguments, so both are shown. */
function printRefusedEdit({ draftArgs, fieldErrors = {} }: InteractionRequestEvent, prompter: Prompter): void {
  prompter.print('This change was refused and will not run:')
  prompter.print(indented(readableText(draftArgs)))
  for (const [field, found] of Object.entries(fieldErrors)) {
    prompter.print(`  ${escapeToOneLine(field)}: ${found.map(escapeToOneLine).join(' ')}`)
  }
  prompter.print('A yes approves what was asked at first:')
}

/** Returns the extent of an approval: in the host's words, else in words for the key that the server compares. */
function wordsOf(
  scope: ApprovalScope,
  { approvalCovers, approvalLabel, labels, toolName }: InteractionRequestEvent,
): string {
  if (scope === 'once') return 'yes, just this time'
  const duration = scope === 'session' ? 'yes, in this session' : 'always'
  if (approvalLabel) return `${duration}, for ${escapeToOneLine(approvalLabel)}`
  if (approvalCovers === undefined) return duration
  const tool = `every "${escapeToOneLine(labels?.title ?? toolWords(toolName))}"`
  return `${duration}, for ${approvalCovers === 'request' ? 'exactly this request' : tool}`
}
