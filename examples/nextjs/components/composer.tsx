'use client'

import { useState } from 'react'
import { suggestions } from './suggestions.ts'

export function Composer({ onSend, chips }: { onSend(text: string): Promise<void>; chips: boolean }) {
  const [text, setText] = useState('')
  const send = (message: string) => {
    if (message.trim() === '') return
    setText('')
    void onSend(message.trim())
  }
  return (
    <>
      {chips && (
        <div className="chips">
          {suggestions.map(({ word }) => (
            <button key={word} type="button" onClick={() => send(word)}>
              {word}
            </button>
          ))}
        </div>
      )}
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          send(text)
        }}
      >
        <textarea
          rows={1}
          aria-label="Message"
          placeholder="Message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send(text)
          }}
        />
        <button type="submit" className="icon-button send" aria-label="Send message" disabled={text.trim() === ''}>
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden>
            <path d="M10 16V4M5 9l5-5 5 5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
      </form>
    </>
  )
}
