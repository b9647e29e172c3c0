/** Next calls this once when the server starts. It continues the calls of an earlier process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { holdpoint } = await import('./lib/holdpoint.ts')
  await holdpoint.recover()
}
