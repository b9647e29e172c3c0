import { accept, type Decoded, refuse } from './result.ts'

/** `JSON.parse` that does not throw, for what a server of ours wrote; `parseJson` looks closer. */
export function readJson(text: string): Decoded<unknown> {
  try {
    return accept(JSON.parse(text))
  } catch {
    return refuse('invalid_json', 'Not valid JSON.')
  }
}
