import { type AddressInfo, createServer } from 'node:net'

/** The wished-for port when it is free, else any. */
export async function freePort(wished: number): Promise<number> {
  return (await tryPort(wished)) ?? (await tryPort(0)) ?? wished
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null
}

function tryPort(candidate: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(null))
    probe.listen(candidate, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
