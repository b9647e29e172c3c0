import type { Answer } from '../../machine/types.ts'
import type { InteractionRequestEvent } from '../../protocol/index.ts'
import type { Prompter } from './prompter.ts'
import { visible, visibleLine } from './visible.ts'

const SCOPES = {
  once: ['y', 'yes, just this time'],
  session: ['s', 'yes, in this session, for exactly this request'],
  always: ['a', 'always, for exactly this request'],
} as const

/** Shows what will happen, all of it, and asks. No key answers by itself: an empty line asks again. */
export async function askApproval(
  request: InteractionRequestEvent,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<Answer> {
  if (request.risk === 'high') prompter.print('This is dangerous.')
  if (request.args !== undefined) prompter.print(indented(visible(JSON.stringify(request.args, null, 2) ?? '')))
  for (const file of request.diff ?? []) {
    prompter.print(indented(`${file.status ?? 'modified'} ${visibleLine(file.path)}`))
    for (const hunk of file.hunks) prompter.print(indented(hunk.lines.map((line) => visible(line)).join('\n')))
  }
  const offered = (request.approvalScopes?.length ? request.approvalScopes : (['once'] as const)).map(
    (scope) => [scope, ...SCOPES[scope]] as const,
  )
  const { approve, deny } = request.labels ?? {}
  for (const [scope, key, words] of offered) {
    prompter.print(`  ${key}  ${scope === 'once' && approve ? visibleLine(approve) : words}`)
  }
  prompter.print(`  n  ${deny ? visibleLine(deny) : 'no'}`)
  const keys = [...offered.map(([, key]) => key), 'n'].join('/')
  for (;;) {
    const typed = (await prompter.line(`[${keys}] `, { signal })).trim().toLowerCase()
    const scope = offered.find(([, key, words]) => typed === key || typed === words.split(',')[0])?.[0]
    if (scope) return { action: 'approve', approvalScope: scope }
    if (typed === 'n' || typed === 'no') {
      const reason = (await prompter.line('Why? (may stay empty) ', { signal })).trim()
      return { action: 'deny', ...(reason ? { reason } : {}) }
    }
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
