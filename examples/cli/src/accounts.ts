import { type Command, titled } from './command.ts'
import { exitCodes } from './exit-codes.ts'

export const status: Command = async ({ accounts, screen, signal }) => {
  const services = await accounts.list({ signal })
  const lines = Object.entries(services).map(([service, { connected, reconnect, user }]) => {
    const name = user?.name ?? user?.email
    const as = typeof name === 'string' ? ` as ${name}` : ''
    if (connected) return `${titled(service)}: connected${as}`
    return `${titled(service)}: ${reconnect ? `to be connected again, by \`errand connect ${service}\`` : 'not connected'}`
  })
  screen.result({ command: 'status', accounts: services }, lines.join('\n') || 'This server connects no services.')
  return exitCodes.done
}

export const disconnect: Command = async ({ accounts, screen, signal, options: { subject: service } }) => {
  const { connected } = await accounts.disconnect(service, { signal })
  screen.result({ command: 'disconnect', service, connected }, `${titled(service)} is disconnected.`)
  return exitCodes.done
}

export const logout: Command = async ({ accounts, screen }) => {
  await accounts.logout()
  screen.result(
    { command: 'logout' },
    'Signed out. Connected accounts stay connected; sign in again by `errand connect`.',
  )
  return exitCodes.done
}
