/** Next calls this once when the server starts: what an earlier process left behind goes on. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { holdpoint } = await import('./lib/holdpoint.ts')
  await holdpoint.recover()
}
