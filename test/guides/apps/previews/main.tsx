import { sse } from '@holdpoint/core'
import { HoldpointProvider, InteractionView, usePendingInteractions } from '@holdpoint/react'
import '@holdpoint/react/styles.css'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { PostPreview } from './post-preview'

const Questions = () =>
  usePendingInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)
const at = (id: string) => createRoot(document.getElementById(id)!)
at('shipped').render(
  <App sessionId="shipped">
    <Questions />
  </App>,
)
at('own').render(
  <HoldpointProvider
    options={{ sessionId: 'own', transport: sse({ url: '/holdpoint' }) }}
    renderers={{ post: PostPreview }}
  >
    <Questions />
  </HoldpointProvider>,
)
