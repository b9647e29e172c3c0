import { holdpoint } from '../holdpoint'

export async function POST() {
  const call = { runId: 'run', toolCallId: 'call', toolName: 'remove' }
  const ctx = holdpoint.session('chat', { userId: 'ada' }).toolCall(call)
  return Response.json(await ctx.tryApprove({ prompt: 'Delete it?' }))
}
