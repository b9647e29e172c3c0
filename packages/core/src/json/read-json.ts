import { accept, type Decoded, refuse } from './result.ts'

/** `JSON.parse` without exceptions, for text from our own server. `parseJson` checks more. */
export function readJson(text: string): Decoded<unknown> {
  try {
    return accept(JSON.parse(text))
  } catch {
    return refuse('invalid_json', 'Not valid JSON.')
  }
}
