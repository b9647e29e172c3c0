import { say } from '@holdpoint/core/internal'
import { type ReactNode, useState } from 'react'
import { visible } from '../../wording/escape.ts'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { Part } from './part.tsx'

const LINES = 14
const CHARACTERS = 1_600
/** About the characters of a line of a card. */
const WIDTH = 80

/**
 * Shows text exactly, with invisible characters as escapes. A long text is cut with the number of hidden lines, and can
 * be expanded before the decision. One long line counts by its characters.
 */
export function CodeBlock(props: {
  text: string
  escaped?: boolean
  /** Draws the part of the text that is shown. */
  render?: (shown: string) => ReactNode
}) {
  const { text, escaped = false, render = (shown: string) => shown } = props
  const { messages } = useCard()
  const [open, setOpen] = useState(false)
  const shown = escaped ? text : visible(text)
  const cut = open ? null : cutAt(shown)
  return (
    <>
      <Part as="div" slotName="code" dir="ltr">
        <pre>{render(cut === null ? shown : `${shown.slice(0, cut)}…`)}</pre>
      </Part>
      {cut !== null || open ? (
        <CardButton slotName="expand" variant="quiet" aria-expanded={open} onPress={() => setOpen(!open)}>
          {open ? messages.showLess : say(messages.showAll, { count: linesIn(shown.slice(cut ?? 0)) })}
        </CardButton>
      ) : null}
    </>
  )
}

/** Returns the index at which to cut a text; null if it is short enough. */
export function cutAt(text: string, { lines = LINES, characters = CHARACTERS } = {}): number | null {
  let end = 0
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', end)
    if (next === -1) return text.length > characters + 80 ? characters : null
    end = next + 1
  }
  const cut = Math.min(end - 1, characters)
  return text.length - cut > 80 ? cut : null
}

/** Returns how many lines a text takes. A long line counts as the lines that it takes on a card. */
export function linesIn(text: string): number {
  const lines = text.trim().split('\n')
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / WIDTH)), 0)
}
