/** A change within a string that holds SQL or Lua, by its offsets. */
export interface TextMutant {
  kind: string
  /** The original text, with its surroundings if it is only one sign. */
  was: string
  from: number
  to: number
  text: string
}

type Rule = [kind: string, pattern: RegExp, text: string]

/** Only the first group is replaced, where there is one. */
const sqlRules: Rule[] = [
  ['lock dropped', /\s+FOR UPDATE(?: SKIP LOCKED)?/g, ''],
  ['lock dropped', / IMMEDIATE/g, ''],
  ['conflict not taken', /\s+ON CONFLICT DO NOTHING/g, ''],
  ['order of bytes dropped', / COLLATE "C"/g, ''],
  ['limit dropped', /\s+LIMIT [^\s)`']+/g, ''],
  ['limit dropped', /;\s*SET LOCAL \w+ = [^;`]+/g, ''],
  ['version not counted', /version( \+ (?:1|excluded\.version))/g, ''],
  ['default dropped', /(coalesce\([\w.]+, 0\))/g, 'NULL'],
]
const luaRules: Rule[] = [
  ['branch never taken', /\bif (.+?) then/g, 'false'],
  ['branch always taken', /\bif (.+?) then/g, 'true'],
  ['right half dropped', /\bif .+?( and .+?| or .+?) then/g, ''],
  ['left half dropped', /\bif (.+? and |.+? or )/g, ''],
  ['step left out', /^\s*(redis\.call\(.*\))$/gm, ''],
  ['limit dropped', /(math\.min\(.+\))$/gm, 'tonumber(ARGV[1])'],
]
const procedureRules: Rule[] = [['step left out', /^\s*((?:DELETE|PERFORM|RAISE|RETURN)\b[^;]*);/gm, 'NULL']]
const boundaries: Rule[] = [
  ['boundary moved', /\S+ (>=) \S+/g, '>'],
  ['boundary moved', /\S+ (<=) \S+/g, '<'],
  ['boundary moved', /\S+ (>) \S+/g, '>='],
  ['boundary moved', /\S+ (<) \S+/g, '<='],
]

/** The defenses of SQL and Lua: conditions, locks, orders, limits, and the steps of a script. */
export function textMutants(text: string): TextMutant[] {
  if (/\bredis\.call\(/.test(text)) return [...luaRules, ...boundaries].flatMap((rule) => apply(rule, text))
  if (!/\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|BEGIN)\b/.test(text)) return []
  const rules = text.includes('plpgsql') ? [...sqlRules, ...procedureRules] : sqlRules
  return [...sqlConditions(text), ...[...rules, ...boundaries].flatMap((rule) => apply(rule, text))]
}

function apply([kind, pattern, replacement]: Rule, text: string): TextMutant[] {
  return [...text.matchAll(pattern)].map((match) => {
    const replaced = match[1] ?? match[0]
    const from = match.index + match[0].indexOf(replaced)
    const was = kind === 'boundary moved' ? match[0] : replaced
    return { kind, was, from, to: from + replaced.length, text: replacement }
  })
}

/** Each condition of a WHERE, ON, AND, OR and IF, and each ORDER BY: to where the next part of the statement begins. */
function sqlConditions(text: string): TextMutant[] {
  return [...text.matchAll(/\b(WHERE|AND|ON|OR|IF|ORDER BY)\s+(?!CONFLICT|true\b|NOT EXISTS\s+\$)/g)].flatMap(
    (match) => {
      const word = match[1] ?? ''
      if (word === 'ON' && /INDEX \w+ $/.test(text.slice(0, match.index))) return []
      const from = match.index + match[0].length
      const to = endOfCondition(text, from)
      if (word === 'ORDER BY') {
        return [{ kind: 'order dropped', was: text.slice(match.index, to), from: match.index, to, text: '' }]
      }
      const was = text.slice(from, to)
      return [{ kind: 'condition dropped', was, from, to, text: word === 'OR' || word === 'IF' ? 'false' : 'true' }]
    },
  )
}

const NEXT = /^(?:AND|OR|WHERE|ON|ORDER|LIMIT|FOR|THEN|RETURNING|UNION|LEFT|JOIN|CROSS|GROUP)\b/

function endOfCondition(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const one = text[at] ?? ''
    if ('([{'.includes(one)) depth++
    if (depth === 0 && (';)`'.includes(one) || (/\s/.test(text[at - 1] ?? '') && NEXT.test(text.slice(at, at + 10))))) {
      return at - (/\s*$/.exec(text.slice(from, at))?.[0].length ?? 0)
    }
    if (')]}'.includes(one)) depth--
  }
  return text.endsWith("'") ? text.length - 1 : text.length
}
