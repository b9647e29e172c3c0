/** Inserted into the server of docs/express.md, before `recover()`: more tools, a login, and what the tests look at. */
const pay = holdpoint.tool({
  name: 'pay',
  input: z.object({ amount: z.number() }),
  execute: async ({ amount }, ctx) => {
    const approved = await ctx.approve({
      prompt: `Pay ${amount}?`,
      args: { amount },
      editable: true,
      scopes: ['once', 'session', 'always'],
      policy: (args) => args.amount >= 10 || 'At least 10.',
    })
    return await ctx.once('pay', () => ran({ tool: 'pay', ...approved.args }))
  },
})

const patch = holdpoint.tool({
  name: 'patch',
  input: z.object({ path: z.string() }),
  execute: async ({ path }, ctx) => {
    const hunk = (line: string, at: number) => ({
      id: `hunk-${at}`,
      ...{ oldStart: at, newStart: at },
      lines: [`-old ${line}`, `+new ${line}`],
    })
    const { diffDecisions } = await ctx.approve({
      prompt: `Change ${path}?`,
      args: { path },
      scopes: ['once', 'session', 'always'],
      diff: [{ path, hunks: [hunk('first', 1), hunk('second', 40)] }],
    })
    return await ctx.once('patch', () => ran({ tool: 'patch', diffDecisions }))
  },
})

const tools = { delete_files: deleteFiles, pay, patch } as Record<string, typeof pay>

app.post('/ask', express.json(), async (request, response) => {
  const { chat, tool, input, user = 'ada', run = 'run-1' } = request.body
  const session = holdpoint.session(chat, { userId: user })
  const toolCallId = `${tool}-1`
  const settled = session.runTool(tools[tool] as typeof pay, input, { runId: run, toolCallId }).then(
    (result) => ({ result }),
    (error) => ({ error: error.code ?? error.message, outcome: error.outcome }),
  )
  response.json(await settled)
})
app.get('/login', (request, response) => {
  response.cookie('user', String(request.query.user)).redirect('/')
})
app.get('/logout', (_request, response) => {
  response.clearCookie('user').send('signed out')
})
app.use(express.static('dist'))

/** One line for each effect, over all processes: what ran, with which arguments. */
function ran(effect: object) {
  appendFileSync('ran.jsonl', `${JSON.stringify(effect)}\n`)
  return effect
}
async function removeAll(files: string[]) {
  ran({ tool: 'delete_files', files })
  return { deleted: files.length }
}
async function userOf(cookie: string | null) {
  const user = /\buser=(\w+)/.exec(cookie ?? '')?.[1]
  return user ? { userId: user } : null
}
async function goOn(sessionId: string, what: object) {
  appendFileSync('continued.jsonl', `${JSON.stringify({ sessionId, ...what })}\n`)
}
process.once('SIGTERM', async () => {
  await holdpoint.close()
  process.exit()
})
