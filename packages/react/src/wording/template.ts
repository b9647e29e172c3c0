import type { InteractionResponseEvent } from '@holdpoint/core/internal'

/**
 * Fills a template such as `Sent to {{email}}` with the answered values. Unknown names become empty. The result is
 * plain text.
 */
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
