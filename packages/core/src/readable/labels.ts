import { humanize } from '../forms/json-schema/humanize.ts'

/** Letters of other scripts that look like Latin ones, and whatever is no letter. */
const LOOK_ALIKES = /^[аеорсухіјѕһԁԛԝѵӏАВЕЗІЈКМНОРСТУХЅԌԚԜαγικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϹ\P{L}]+$/u
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** A key and the words of its label: all of them, or all but a unit that is shown after the value. */
export interface KeyToLabel {
  key: string
  labelKey: string
}

/** The label of a key, with the exact key if the label could be confused with another one. */
export interface KeyLabel {
  label: string
  exactKey?: string
}

/** Returns the labels for the keys of one object. Keys whose labels are equal or look the same carry the exact key. */
export function labelsOf(keys: readonly KeyToLabel[], show: (text: string) => string): KeyLabel[] {
  const labels = keys.map(({ labelKey }) => show(humanize(labelKey)))
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(likeness(label), (counts.get(likeness(label)) ?? 0) + 1)
  return keys.map(({ key }, index) => {
    const label = labels[index]!
    const ambiguous = counts.get(likeness(label))! > 1 || looksLatin(key) || key.trim() !== key || key === ''
    return ambiguous ? { label, exactKey: exactly(key, show) } : { label }
  })
}

/** Equal for labels that a reader could confuse. */
const likeness = (label: string) => label.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

/** True for a key that mixes scripts, or whose letters belong to another script and all look Latin. */
function looksLatin(key: string): boolean {
  const scripts = SCRIPTS.filter((script) => script.test(key)).length
  return scripts > 1 || (/[^\p{Script=Latin}\P{L}]/u.test(key) && LOOK_ALIKES.test(key))
}

/** The key with everything outside of ASCII written as escapes. */
function exactly(key: string, show: (text: string) => string): string {
  const text = show(key).replace(/[^\u0020-\u007e]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  return /^[\w.-]+$/.test(text) ? text : `"${text}"`
}
