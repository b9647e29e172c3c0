const TOKENS =
  /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<[^>=!]*>|<?[=!:])|\{\d*,?\d*\}|./gisu
const CLASS_ITEMS = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|.)|./gisu
/** Letters whose case variants cannot be derived from the source. */
const NAMED = /^\\[uxpk]/i

/**
 * Converts a regular expression to a pattern of JSON Schema, which has no flags: `/^abc$/i` becomes `^[aA][bB][cC]$`.
 * Null if a flag cannot be expressed in the pattern.
 */
export function patternWithoutFlags({ source, flags }: RegExp): string | null {
  if (flags.includes('y')) return null
  if (flags.includes('m') && /[$^]/.test(source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, ''))) return null
  const [ignoreCase, dotAll] = [flags.includes('i'), flags.includes('s')]
  if (!ignoreCase && !dotAll) return source
  let refused = false
  const pattern = source.replace(TOKENS, (token) => {
    if (dotAll && token === '.') return '[\\s\\S]'
    if (!ignoreCase) return token
    const replaced = NAMED.test(token) ? null : token.startsWith('[') ? classOfAnyCase(token) : letterOfAnyCase(token)
    refused ||= replaced === null
    return replaced ?? token
  })
  return refused ? null : pattern
}

/** Returns a class with both cases of each letter, or null if the source does not determine it. */
function classOfAnyCase(token: string): string | null {
  const negated = token.startsWith('[^')
  const items = [...token.slice(negated ? 2 : 1, -1).matchAll(CLASS_ITEMS)].map(([item]) => item)
  const added: string[] = []
  for (let at = 0; at < items.length; at++) {
    const [item = '', dash, end] = items.slice(at, at + 3)
    if (NAMED.test(item)) return null
    if (dash !== '-' || end === undefined) {
      added.push(...casesOf(item).filter((one) => one !== item))
      continue
    }
    if (item > '\x7f' || end > '\x7f' || end.startsWith('\\')) return null
    added.push(...rangeOfOtherCase(item, end, 'a', 'z', -32), ...rangeOfOtherCase(item, end, 'A', 'Z', 32))
    at += 2
  }
  // First, so that a dash at the end of the class keeps its meaning.
  return `[${negated ? '^' : ''}${added.join('')}${items.join('')}]`
}

function rangeOfOtherCase(from: string, to: string, low: string, high: string, shift: number): string[] {
  const [first, last] = [from > low ? from : low, to < high ? to : high]
  const shifted = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + shift)
  return first <= last ? [`${shifted(first)}-${shifted(last)}`] : []
}

function letterOfAnyCase(token: string): string {
  const cases = casesOf(token)
  return cases.length > 1 ? `[${cases.join('')}]` : token
}

function casesOf(letter: string): string[] {
  if (!/^\p{L}$/u.test(letter)) return [letter]
  return [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter((one) => [...one].length === 1)
}
