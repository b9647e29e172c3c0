import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import './styles/base.css'
import './styles/shell.css'
import './styles/chat.css'
import './styles/mail.css'
import './styles/bridges.css'
import './styles/plain.css'
import '@holdpoint/react/styles.css'
import { Providers } from '@/components/providers.tsx'

export const metadata: Metadata = {
  title: { default: 'Holdpoint example', template: '%s · Holdpoint example' },
  description: 'An agent that stops, asks you, and continues exactly once.',
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  colorScheme: 'light dark',
}

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
