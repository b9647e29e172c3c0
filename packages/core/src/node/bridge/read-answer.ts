import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { type BridgeResponse, openVariables, parseResponse, sealedPath } from './bridge-format.ts'

const MAX_BYTES = 1_048_576
/** A link leads elsewhere; a pipe would keep us waiting for ever. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * What the host answered to a runner that asked for accounts: the tokens, as variables for the environment of the tool.
 */
export interface BridgeAnswer {
  success: boolean
  integrations: readonly string[]
  variables: Record<string, string>
}

/** The host's answer, when it is there and really is the host's. What else lies at this path is as good as nothing. */
export function readAnswer(key: string, id: string, path: string): BridgeAnswer | null {
  const response = parseResponse(key, id, readRegular(path) ?? '')
  if (!response) return null
  const variables = response.sealed ? openVariables(key, id, readRegular(sealedPath(path)) ?? '') : {}
  if (!variables) return null
  removeAnswer(path)
  const { success, integrations }: BridgeResponse = response
  return { success, integrations, variables }
}

export function removeAnswer(path: string): void {
  for (const file of [path, sealedPath(path)]) rmSync(file, { force: true, recursive: true })
}

function readRegular(path: string): string | null {
  let file: number
  try {
    file = openSync(path, FLAGS)
  } catch {
    return null
  }
  try {
    const found = fstatSync(file)
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(file, 'utf8') : null
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
