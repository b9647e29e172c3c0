import { parseJson } from '../../json/json.ts'
import type { Answer } from '../../machine/state/types.ts'
import { readableText } from '../../readable/index.ts'
import { escapeToOneLine } from '../../text/escape-invisible.ts'
import { indented, type Prompter, TOO_EARLY } from './prompter.ts'

/**
 * Asks for changed arguments as JSON, shows what will run with them, and asks for an approval of that. Returns null if
 * the person keeps the arguments of the question.
 */
export async function editArgs(prompter: Prompter, signal: AbortSignal): Promise<Answer | null> {
  for (;;) {
    const typed = (await prompter.line('New arguments as JSON (Enter = no change) ', { signal })).trim()
    if (typed === '') return null
    const parsed = parseJson(typed)
    if (!parsed.ok) {
      prompter.print(`This is not JSON: ${escapeToOneLine(parsed.problem.message)}`)
      continue
    }
    prompter.print('This will run:')
    prompter.print(indented(readableText(parsed.value)))
    if (await isApproved(prompter, signal)) return { action: 'approve', approvalScope: 'once', args: parsed.value }
  }
}

async function isApproved(prompter: Prompter, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const typed = (await prompter.line('[y = approve with this change / n = change it again] ', { signal })).trim()
    if (/^no?$/i.test(typed)) return false
    if (!/^y(es)?$/i.test(typed)) continue
    if (prompter.readable()) return true
    prompter.print(TOO_EARLY)
  }
}
