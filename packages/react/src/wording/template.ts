import type { InteractionResponseEvent } from '@holdpoint/core/internal'

/** `Sent to {{email}}` with what was answered. Unknown names stay empty; the result is text, never anything else. */
export function fillTemplate(template: string, response: InteractionResponseEvent | undefined): string {
  return template.replace(/\{\{\s*([\w.-]{1,64})\s*\}\}/g, (_, name: string) => {
    const input = response?.input
    if (input && Object.hasOwn(input, name)) return shown(input[name])
    return name === 'action' || name === 'reason' ? shown(response?.[name]) : ''
  })
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (typeof value === 'object') return ''
  return value === undefined ? '' : String(value)
}
