import { Fragment, type ReactNode } from 'react'
import { ISOLATE, POP, visible } from './escape.ts'

/**
 * Renders a message, with its isolated names as `<bdi>`. It has the direction of its own language, so that an English
 * sentence is readable on a right-to-left page.
 */
export function Text({ children }: { children: string }): ReactNode {
  const [first, ...rest] = children.split(ISOLATE)
  return (
    <bdi>
      {first}
      {rest.map((piece, index) => {
        const [name, after] = piece.split(POP)
        return (
          <Fragment key={index}>
            <bdi>{name}</bdi>
            {after}
          </Fragment>
        )
      })}
    </bdi>
  )
}

/** Renders text from outside: never as HTML, with invisible characters as escapes, and with its own direction. */
export function SafeText({ children }: { children: string }): ReactNode {
  return <bdi>{visible(children)}</bdi>
}
