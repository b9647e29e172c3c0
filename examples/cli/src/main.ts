#!/usr/bin/env node
import { hostname } from 'node:os'
import { HoldpointError } from '@holdpoint/core'
import { createAccountsClient } from '@holdpoint/core/accounts'

import { configFolder, fileLock, fileTokenStore } from '@holdpoint/core/node'
import { disconnect, logout, status } from './accounts.ts'
import { type Arguments, type CommandName, readArguments, usage } from './arguments.ts'
import { ask, confirm } from './ask.ts'
import type { Command } from './command.ts'
import { connect } from './connect.ts'
import { exitCodeOf, exitCodes, Interrupted, UsageError } from './exit-codes.ts'
import { createScreen } from './screen.ts'

const commands: Readonly<Record<Exclude<CommandName, 'help'>, Command>> = {
  connect,
  status,
  disconnect,
  ask,
  confirm,
  logout,
}

async function run(options: Arguments, stop: AbortController): Promise<number> {
  if (options.command === 'help') {
    process.stdout.write(`${usage}\n`)
    return exitCodes.done
  }
  const folder = configFolder('holdpoint-errand')
  const accounts = createAccountsClient({
    baseUrl: options.server,
    store: fileTokenStore({ folder }),
    lock: fileLock({ folder }),
    // Each server has its own sign-in.
    account: new URL(options.server).host,
    device: `errand on ${hostname()}`,
  })
  const screen = createScreen(options.json, stop.signal)
  try {
    return await commands[options.command]({ accounts, screen, signal: stop.signal, options })
  } catch (error) {
    const why = stop.signal.aborted ? new Interrupted() : error
    const code = why instanceof HoldpointError ? why.code : why instanceof Interrupted ? 'interrupted' : 'failed'
    screen.failure(code, why instanceof Error ? why.message : 'It failed.')
    return exitCodeOf(why)
  }
}

const stop = new AbortController()
process.on('SIGINT', () => {
  // The second Ctrl-C waits for nothing.
  if (stop.signal.aborted) process.exit(exitCodes.interrupted)
  stop.abort(new Interrupted())
})
try {
  process.exitCode = await run(readArguments(process.argv.slice(2), process.env), stop)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n\n${usage}\n`)
  process.exitCode = exitCodes.usage
}
