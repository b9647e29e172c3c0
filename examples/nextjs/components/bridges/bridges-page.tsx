'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { MenuButton } from '../menu-button.tsx'

/** Three questions, asked through each framework. The children show them. */
export function BridgesPage({ children }: { children?: ReactNode }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const askAll = async () => {
    setBusy(true)
    const response = await fetch('/api/bridges', { method: 'POST' }).finally(() => setBusy(false))
    const { page } = await response.json()
    if (page) router.push(`/bridges/${page}`)
  }
  return (
    <section className="chat bridges">
      <header className="bar">
        <MenuButton />
        <h1>The same questions through five frameworks</h1>
        <button type="button" className="button primary ask-all" disabled={busy} onClick={() => void askAll()}>
          Ask all
        </button>
      </header>
      {children ?? (
        <p className="muted empty">
          Press “Ask all”. Each framework calls the same three tools with a model that needs no network, and each tool
          asks you first.
        </p>
      )}
    </section>
  )
}
