import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { type BridgeResponse, openVariables, parseResponse, sealedPath } from './bridge-format.ts'

const MAX_BYTES = 1_048_576
/** A symbolic link may point outside of the folder, and a pipe would block forever. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The host's answer to a runner that asked for accounts: the tokens, as environment variables of the tool. */
export interface BridgeAnswer {
  success: boolean
  integrations: readonly string[]
  variables: Record<string, string>
}

/** Returns the host's answer if it exists and is authentic. Any other file at this path is ignored. */
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
