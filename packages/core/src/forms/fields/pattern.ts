/**
 * A pattern may come from an untrusted source (an MCP server), and a backtracking engine can run for hours on 30
 * characters. This matcher follows all states at once (Thompson, 1968), in time proportional to states × characters.
 *
 * The subset: literals, `.`, classes, `\d \w \s` and their negations, `\p{…}`, escapes, `^ $`, groups (capturing,
 * `(?:…)`), `|`, `* + ? {n,m}` (greedy or lazy, which match the same texts). Not included: look-around, `\b`, named
 * groups, back references, and more than 1,000 states after counted repetition is expanded.
 *
 * As in JSON Schema a pattern is not anchored, works on code points, and is case-sensitive.
 */
export interface SafePattern {
  test(text: string): boolean
}

/** Passes a code point that `accepts` matches; without `accepts` it reads nothing. `edge` holds at `^` or `$` only. */
interface State {
  accepts?: RegExp
  edge?: string
  out: State[]
}
/** A part of the pattern: from the state that follows it, it computes its start state. */
type Piece = (next: State) => State

const MAX_STATES = 1_000
/** States × characters of one text. Beyond this number a text counts as not matching. */
const MAX_WORK = 1_000_000
/** The budget for all texts of one answer: about a quarter of a second. */
const MAX_WORK_OF_ANSWER = 2_000_000

/**
 * Compiles a pattern; null if it is outside the subset. Such a pattern is shown to people but not checked.
 *
 * @example compilePattern('^[A-Z]{2}\\d{4}$')?.test('DE2026') // true
 */
export function compilePattern(source: string): SafePattern | null {
  return attempt(source)
}

/** Checks the texts of one answer against patterns, with one budget for all texts. Each pattern is compiled once. */
export class PatternChecks {
  readonly #compiled = new Map<string, Compiled | null>()
  #left = MAX_WORK_OF_ANSWER

  /**
   * False if the text does not match, or if checking it would exceed the budget. An unsupported pattern accepts every
   * text.
   */
  passes(source: string, text: string): boolean {
    let pattern = this.#compiled.get(source)
    if (pattern === undefined) {
      pattern = attempt(source)
      this.#compiled.set(source, pattern)
      this.#left -= pattern?.states ?? 0
    }
    if (!pattern) return true
    this.#left -= pattern.states * text.length
    return this.#left >= 0 && pattern.test(text)
  }
}

interface Compiled extends SafePattern {
  states: number
}

function attempt(source: string): Compiled | null {
  try {
    return compile(source)
  } catch {
    return null
  }
}

function compile(source: string): Compiled {
  let at = 0
  let built = 0

  const refuse = (): never => {
    throw new SyntaxError()
  }
  const take = (token: RegExp) => {
    token.lastIndex = at
    const found = token.exec(source)
    if (found) at += found[0].length
    return found
  }
  /** Every state and every repetition counts, so that `((a{99}){99}){99}` stops here instead of filling the memory. */
  const state = (made: State) => {
    if (++built > MAX_STATES) refuse()
    return made
  }
  const alternatives = (): Piece => {
    const branches = [sequence()]
    while (take(/\|/y)) branches.push(sequence())
    return (next) => (branches[1] ? state({ out: branches.map((branch) => branch(next)) }) : branches[0]!(next))
  }
  const sequence = (): Piece => {
    const pieces: Piece[] = []
    while (source[at] && !take(/(?=[|)])/y)) pieces.push(repeated())
    return (next) => pieces.reduceRight((after, piece) => piece(after), next)
  }
  const repeated = (): Piece => {
    const edge = take(/[$^]/y)
    if (edge) return (next) => state({ edge: edge[0], out: [next] })
    const one = take(/\((?:\?:|(?!\?))/y) ? group() : atom()
    const times = take(/(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??/y)
    if (!times) return one
    const [, sign, from, comma, to] = times
    const min = sign ? Number(sign === '+') : Number(from)
    const max = sign === '?' ? 1 : sign || (comma && !to) ? Infinity : Number(to ?? from)
    if (max < min) refuse()
    return (next) => {
      let begin = next
      if (max === Infinity) {
        begin = state({ out: [next] })
        begin.out.push(one(begin))
      } else {
        for (let n = min; n < max; n++) begin = state({ out: [one(begin), next] })
      }
      for (let n = 0; n < min; n++) begin = state({ out: [one(begin)] })
      return begin
    }
  }
  const group = (): Piece => {
    const inner = alternatives()
    if (!take(/\)/y)) refuse()
    return inner
  }
  /** One code point. RegExp reads a class one code point at a time, so it cannot backtrack. */
  const atom = (): Piece => {
    const [found] =
      take(
        /\[(?:[^\]\\]|\\.)*\]|\\(?:[dDwWsStnrfv]|x[\da-f]{2}|u[\da-f]{4}|[upP]\{[\w=]+\}|[^\w])|[^\\()[{|*+?^$]/isuy,
      ) ?? refuse()
    // An escape such as `\-`, and a closing bracket on its own, are legal only without the `u` flag.
    const accepts = new RegExp(`^(?:${found})$`, /^(?:\\\W|[\]}])$/.test(found) ? '' : 'u')
    return (next) => state({ accepts, out: [next] })
  }

  const whole = alternatives()
  if (source[at]) refuse()
  const end: State = { out: [] }
  const start = whole(end)
  return { states: built, test: (text) => run(start, end, built, [...text]) }
}

function run(start: State, end: State, states: number, chars: readonly string[]): boolean {
  if (states * chars.length > MAX_WORK) return false
  let current = new Set<State>()
  for (let at = 0; ; at++) {
    follow([start], current, at, chars.length)
    if (current.has(end)) return true
    if (at === chars.length) return false
    const next = new Set<State>()
    for (const { accepts, out } of current) if (accepts?.test(chars[at]!)) follow([...out], next, at + 1, chars.length)
    current = next
  }
}

/** Adds states and all states that are reachable without reading. */
function follow(todo: State[], into: Set<State>, at: number, length: number): void {
  for (let state = todo.pop(); state; state = todo.pop()) {
    if (into.has(state)) continue
    into.add(state)
    if (!state.accepts && (!state.edge || at === (state.edge === '^' ? 0 : length))) todo.push(...state.out)
  }
}
