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
    return await ctx.once('patch', () => ran({ tool: 'patch', path, diffDecisions }))
  },
})

/** Works until the test lets it end. */
const work = holdpoint.tool({
  name: 'work',
  input: z.object({ job: z.string() }),
  execute: async (args, ctx) => {
    await ctx.approve({ prompt: `Begin ${args.job}?`, args })
    return await ctx.once('work', async () => {
      appendFileSync('began', args.job)
      while (!existsSync('may-end')) await new Promise((resolve) => setTimeout(resolve, 20))
      return ran({ tool: 'work', ...args })
    })
  },
})

const write = holdpoint.tool({
  name: 'write',
  input: z.object({ text: z.string() }),
  execute: async ({ text }, ctx) => {
    const { to } = await ctx.ask({ prompt: 'Where to?', schema: z.object({ to: z.email() }) })
    return await ctx.once('write', () => ran({ tool: 'write', to, text }))
  },
})

const post = holdpoint.tool({
  name: 'post',
  input: z.object({ text: z.string() }),
  execute: async ({ text }, ctx) => {
    const { slack } = await ctx.connect({ integrations: ['slack'], reason: 'to post it' })
    const hasToken = (await slack.token()).length > 0
    return await ctx.once('post', () => ran({ tool: 'post', text, hasToken }))
  },
})

/** The agent continues without an answer; the question stays open. */
const later = holdpoint.tool({
  name: 'later',
  input: z.object({ what: z.string() }),
  execute: async ({ what }, ctx) =>
    await ctx.requestInteraction({
      type: 'approval',
      prompt: `Remind you of ${what}?`,
      timeoutMs: 1_000,
      whenUnavailable: 'wait',
      onResponse: ({ action }) => ({ complete: { action } }),
      onTimeout: () => ({ pending: { message: 'There is no answer yet.' } }),
    }),
})

const tools = { delete_files: deleteFiles, pay, patch, work, write, post, later } as Record<string, typeof pay>

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

/** Open connections of browsers; false marks one of the test itself. */
const sockets = new Map<object, boolean>()
app.get('/connections', (_request, response) => {
  response.json([...sockets.values()].filter(Boolean).length)
})
function countConnections(server: Server) {
  // Idle connections of a page load close soon, so that only those remain that the page holds.
  Object.assign(server, { keepAliveTimeout: 1_000, keepAliveTimeoutBuffer: 0 })
  server.on('connection', (socket) => {
    sockets.set(socket, true)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request) => {
    if (request.headers['x-test']) sockets.set(request.socket, false)
  })
}

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
async function startTurn(sessionId: string, what: object) {
  appendFileSync('continued.jsonl', `${JSON.stringify({ sessionId, ...what })}\n`)
}
process.once('SIGTERM', async () => {
  await holdpoint.close()
  process.exit()
})
