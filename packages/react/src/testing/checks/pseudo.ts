import type { Messages } from '@holdpoint/core/messages'

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ý',
  z: 'ž',
}

/** Longer by a third, with accents and in brackets: what is not translated, or cut off, stands out. */
export function pseudo(messages: Messages): Messages {
  return change(messages) as Messages
}

function change(value: unknown): unknown {
  if (typeof value === 'string') return longer(value)
  if (typeof value === 'function') return (...args: unknown[]) => longer(String(value(...args)))
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, change(inner)]))
}

function longer(text: string): string {
  const accented = text.replace(/[aceinosuyz]/g, (letter) => accents[letter] ?? letter)
  return `[${accented}${'·'.repeat(Math.ceil(text.length / 3))}]`
}
