import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { ConnectedAccounts } from '../settings-page/connected-accounts.tsx'
import { RememberedApprovals } from '../settings-page/remembered-approvals.tsx'
import { ToolSettings } from '../settings-page/tool-settings.tsx'
import type { settingsServer } from '../testing/settings-server.ts'

const choices = { ask: 'Ask every time', reads: 'Ask, but not for reading', all: 'Never ask', auto: 'Never ask' }

/** A settings page as an application puts it together. */
export function SettingsPage({ server }: { server: ReturnType<typeof settingsServer> }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }))
  const { fetch } = server
  return (
    <QueryClientProvider client={queries}>
      <main style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 24 }}>
        <h1 style={{ margin: 0, font: '600 1.25rem / 1.75rem var(--hp-font)' }}>Settings</h1>
        <RememberedApprovals url="/holdpoint" fetch={fetch} chatOf={() => 'Quarterly report'} />
        <ToolSettings url="/holdpoint" fetch={fetch} choices={choices} />
        <ConnectedAccounts url="/holdpoint" fetch={fetch} />
      </main>
    </QueryClientProvider>
  )
}
