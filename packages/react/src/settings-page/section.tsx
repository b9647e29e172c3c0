import { type ReactNode, useId, useRef, useState } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Text } from '../wording/text.tsx'

/** A part of a settings page: heading, text, its list, and one line with the result of the last change. */
export function Section({
  slotName,
  title,
  text,
  empty,
  query,
  notice,
  headingLevel = 2,
  children,
}: {
  slotName: string
  title: string
  text: string
  empty: string
  query: { status: 'pending' | 'error' | 'success'; refresh: () => void }
  notice: ChangeNotice
  headingLevel?: 2 | 3 | 4 | undefined
  children: ReactNode[]
}): ReactNode {
  const { messages, dir, lang } = useSettings()
  const words = usePageWords()
  const id = useId()
  const Heading = `h${headingLevel}` as const
  return (
    <section className="hp-settings" data-slot={slotName} aria-labelledby={id} dir={dir} lang={lang}>
      <Heading className="hp-settings-title" id={id} tabIndex={-1} ref={notice.ref}>
        {title}
      </Heading>
      <p className="hp-note">{text}</p>
      {query.status === 'pending' ? <p>{words.settingsLoading}</p> : null}
      {query.status === 'error' ? (
        <p>
          {words.settingsUnread}{' '}
          <button type="button" className="hp-button" onClick={query.refresh}>
            {messages.tryNow}
          </button>
        </p>
      ) : null}
      {query.status === 'success' && children.length === 0 ? <p>{empty}</p> : null}
      {children.length > 0 ? <ul className="hp-settings-list">{children}</ul> : null}
      <p className="hp-note hp-settings-said" data-slot="settings-said" aria-live="polite">
        <Text>{notice.text}</Text>
      </p>
    </section>
  )
}

interface ChangeNotice {
  text: string
  ref: { current: HTMLHeadingElement | null }
}

/**
 * Runs changes, one at a time, and reports the result of each. If the row of a change disappears with the focus, the
 * focus moves to the heading of its section.
 */
export function useChanges(): ChangeNotice & {
  run: (change: () => Promise<unknown>, done: string) => void
  /** Shows a sentence that no change of this page led to. */
  say: (text: string) => void
  isBusy: boolean
} {
  const words = usePageWords()
  const ref = useRef<HTMLHeadingElement>(null)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const busy = useRef(false)
  const run = async (change: () => Promise<unknown>, done: string) => {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    setText('')
    const focused = document.activeElement
    try {
      await change()
      setText(done)
    } catch {
      setText(words.settingsUnsaved)
    } finally {
      busy.current = false
      setBusy(false)
    }
    setTimeout(() => {
      if (focused && !focused.isConnected && document.activeElement === document.body) ref.current?.focus()
    })
  }
  return { text, ref, isBusy, say: setText, run: (change, done) => void run(change, done) }
}
