import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider } from '@holdpoint/react'
import { createRoot } from 'react-dom/client'
import { Questions } from './questions'
import { Themed } from './themed'
import './without-react'
import '@holdpoint/react/styles.css'

const at = (id: string) => createRoot(document.getElementById(id) as HTMLElement)
at('hooks').render(
  <HoldpointProvider options={{ sessionId: 'hooks', transport: sse({ url: '/holdpoint' }) }}>
    <Questions />
  </HoldpointProvider>,
)
at('themed').render(
  <Themed client={createHoldpointClient({ sessionId: 'themed', transport: sse({ url: '/holdpoint' }) })} />,
)
