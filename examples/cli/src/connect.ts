import { openBrowser } from '@holdpoint/core/node'
import { type Command, titled } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** Signs in with the first service, and adds further ones. */
export const connect: Command = async ({ accounts, screen, signal, options }) => {
  const { subject: service, device, browser } = options
  const connected = await accounts.connect(service, {
    signal,
    // Also when it is not the first one: the person wants to see how it ended.
    wait: true,
    ...(device ? { flow: 'device' as const } : {}),
    async onUrl(url, { userCode, sessionReset, expiresInMs }) {
      if (sessionReset)
        screen.step('session_reset', {}, 'The server no longer knew this session, so a new one was created.')
      const opened = browser && !device && screen.interactive && (await openBrowser(url))
      const code = userCode ? ` It must show the code ${userCode}.` : ''
      const facts = { url, ...(userCode ? { code: userCode } : {}), expiresInSeconds: Math.round(expiresInMs / 1000) }
      screen.step('open', facts, opened ? `Your browser shows ${url}${code}` : `Open ${url}${code}`)
    },
    onPending({ waitedMs }) {
      const seconds = Math.round(waitedMs / 1000)
      screen.progress(`Waiting for ${titled(service)} … ${seconds ? `${seconds} s ` : ''}(Ctrl-C stops)`)
    },
  })
  const { status, accountId } = connected
  const who = accountId ? ` (${accountId})` : ''
  screen.result(
    { command: 'connect', service, status, ...(accountId ? { accountId } : {}) },
    status === 'connected' ? `${titled(service)} is connected${who}.` : `${titled(service)}: see \`errand status\`.`,
  )
  return exitCodes.done
}
