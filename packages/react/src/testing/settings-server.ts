import { NOW } from './interactions.ts'

const days = (count: number) => new Date(NOW - count * 86_400_000).toISOString()

interface Change {
  toolName: string
  integration: string
  key?: unknown
  choice?: string | null
}

/** A server with the settings of one user, in this page. `fails` makes the next change fail. */
export function settingsServer({ connectUrl = (_integration: string) => '' } = {}) {
  let approvals: { toolName: string; key: unknown; scope: string; approvedAt: string; sessionId?: string }[] = [
    { toolName: 'delete_files', key: { files: ['drafts/a.md', 'drafts/b.md'] }, scope: 'always', approvedAt: days(1) },
    { toolName: 'send_email', key: 'ada@example.com', scope: 'session', approvedAt: days(3), sessionId: 'chat-1' },
  ]
  const toolSettings: { toolName: string; choices: string[]; choice: string | null }[] = [
    { toolName: 'call_system', choices: ['ask', 'reads', 'all'], choice: null },
    { toolName: 'send_email', choices: ['ask', 'auto'], choice: 'ask' },
  ]
  const accounts = new Map([
    ['slack', { connected: true, user: { email: 'ada@example.com' }, scopes: ['chat:write', 'channels:read'] }],
    ['gmail', { connected: false }],
    ['google-calendar', { connected: false, reconnect: true as const }],
  ])
  const changes: { path: string; body: unknown }[] = []
  let fails = false
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const path = String(input).replace('/holdpoint', '')
    if (init?.method === 'POST') {
      const body = JSON.parse(String(init.body)) as Change
      changes.push({ path, body })
      if (fails) return Response.json({ error: { code: 'store_unavailable', message: 'No.' } }, { status: 503 })
      if (path === '/approvals/revoke') approvals = approvals.filter(({ toolName }) => toolName !== body.toolName)
      if (path === '/accounts/connect') return Response.json({ url: connectUrl(body.integration) })
      if (path === '/accounts/disconnect') accounts.set(body.integration, { connected: false })
      const setting = toolSettings.find(({ toolName }) => toolName === body.toolName)
      if (path === '/tool-settings' && setting) setting.choice = body.choice ?? null
      return Response.json({ status: 'accepted' })
    }
    if (path === '/accounts') return Response.json({ accounts: Object.fromEntries(accounts) })
    return Response.json(path === '/approvals' ? { approvals } : { toolSettings })
  }
  return {
    fetch,
    changes,
    fails: (next: boolean) => {
      fails = next
    },
  }
}
