import { met, type Peer, type Result } from './result.ts'
import type { Ran } from './run.ts'
import { digits } from './statistics.ts'

/** The cells of one row, as text. */
export function cells(result: Result) {
  const { scenario, figure, unit, value, spread, target, better, limit, peers = [], why } = result
  const verdict = met(result)
  return {
    scenario,
    figure,
    ours:
      withUnit(value, unit) +
      (spread && spread[0] !== spread[1] ? ` (${number(spread[0])} to ${number(spread[1])})` : ''),
    target: target === undefined ? '' : `${better === 'lower' ? '≤' : '≥'} ${number(target)}`,
    limit: limit ? `${limit.name}: ${number(limit.value)}` : '',
    peers: byValue(result, peers).map(said).join(', '),
    met: verdict === undefined ? '' : verdict ? 'yes' : why ? `no: ${why}` : 'no',
  }
}

/** Returns one Markdown table of all benches; a failed bench is marked in its row. */
export function markdownTable(benches: readonly Ran[]): string {
  const head = ['scenario', 'figure', 'Holdpoint', 'target', 'physical limit', 'others', 'met']
  const lines = benches.flatMap(({ bench, results = [], failed }) => [
    ...results.map((result, n) => {
      const { scenario, ...rest } = cells(result)
      return row([scenario === results[n - 1]?.scenario ? '' : scenario, ...Object.values(rest)])
    }),
    ...(failed ? [row([`\`${bench}\``, `failed: ${failed}`, '', '', '', '', ''])] : []),
  ])
  return [row(head), row(head.map(() => '---')), ...lines].join('\n')
}

/** `0.134`, `1.6`, `23,122`: three digits, and no more than there are. */
export function number(value: number): string {
  return digits(value).toLocaleString('en-US', { maximumSignificantDigits: 21 })
}

export const withUnit = (value: number, unit: string) => (unit ? `${number(value)} ${unit}` : number(value))

/** The best first. */
export function byValue({ better }: Pick<Result, 'better'>, peers: readonly Peer[]): Peer[] {
  return peers.toSorted((a, b) => (better === 'lower' ? a.value - b.value : b.value - a.value))
}

const said = ({ name, version, value }: Peer) => `${name}${version ? ` ${version}` : ''}: ${number(value)}`
const row = (texts: readonly string[]) => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
