import type { Answer, RespondResult } from '@holdpoint/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useSettings } from '../settings/use-settings.ts'
import type { Row } from './rows/rows.ts'

/** An answer that was given and is not sent yet: until then nothing has begun, so it can be taken back. */
export interface Held {
  row: Row
  answer: Answer
  /** When it is sent; undefined while the countdown is paused. */
  until: number | undefined
}

interface Holding extends Held {
  timer: unknown
  settle: (result: RespondResult | Promise<RespondResult>) => void
}

export interface HeldAnswers {
  find: (key: string) => Held | undefined
  /** Keeps the answer for a moment, then sends it. Resolves with the result of sending it. */
  hold: (row: Row, answer: Answer) => Promise<RespondResult>
  send: (key: string) => void
  undo: (key: string) => void
  /** Pauses the countdown while the button has the pointer or the focus. */
  pause: (key: string, isPaused: boolean) => void
}

/**
 * Holds answers for `ms` before they are sent. A page that is hidden or left sends them at once: an answer never
 * depends on the page staying open.
 */
export function useHeldAnswers(ms: number): HeldAnswers {
  const { clock } = useSettings()
  const [held, setHeld] = useState<ReadonlyMap<string, Holding>>(new Map())
  const now = useRef(held)
  const change = useCallback((key: string, next: Holding | undefined) => {
    const changed = new Map(now.current)
    if (next) changed.set(key, next)
    else changed.delete(key)
    now.current = changed
    setHeld(changed)
  }, [])
  const take = useCallback(
    (key: string) => {
      const one = now.current.get(key)
      if (!one) return undefined
      clock.clearTimeout(one.timer)
      change(key, undefined)
      return one
    },
    [clock, change],
  )
  const send = useCallback(
    (key: string) => {
      const one = take(key)
      one?.settle(one.row.client.respond(one.row.id, one.answer))
    },
    [take],
  )
  const undo = useCallback(
    (key: string) => {
      take(key)?.settle({ status: 'not_sent', problem: { code: 'undone', message: 'The user took the answer back.' } })
    },
    [take],
  )
  const hold = useCallback(
    (row: Row, answer: Answer) =>
      new Promise<RespondResult>((settle) => {
        send(row.key)
        const timer = clock.setTimeout(() => send(row.key), ms)
        change(row.key, { row, answer, settle, timer, until: clock.now() + ms })
      }),
    [change, send, clock, ms],
  )
  const pause = useCallback(
    (key: string, isPaused: boolean) => {
      const one = now.current.get(key)
      if (!one) return
      clock.clearTimeout(one.timer)
      const timer = isPaused ? undefined : clock.setTimeout(() => send(key), ms)
      change(key, { ...one, timer, until: isPaused ? undefined : clock.now() + ms })
    },
    [send, change, clock, ms],
  )
  const flush = useLatest(() => {
    for (const key of [...now.current.keys()]) send(key)
  })
  useEffect(() => {
    const whenHidden = () => {
      if (document.visibilityState === 'hidden') flush()()
    }
    const whenLeft = () => flush()()
    document.addEventListener('visibilitychange', whenHidden)
    window.addEventListener('pagehide', whenLeft)
    return () => {
      document.removeEventListener('visibilitychange', whenHidden)
      window.removeEventListener('pagehide', whenLeft)
      whenLeft()
    }
  }, [flush])
  const find = useCallback((key: string) => held.get(key), [held])
  return { find, hold, send, undo, pause }
}
