import { Fragment, type ReactNode } from 'react'
import { ISOLATE, POP, visible } from './escape.ts'

/** One of our sentences; the isolated names in it become `<bdi>`. */
export function Text({ children }: { children: string }): ReactNode {
  if (!children.includes(ISOLATE)) return children
  return children.split(ISOLATE).map((piece, index) => {
    const [name, rest] = index === 0 ? [undefined, piece] : piece.split(POP)
    return (
      <Fragment key={index}>
        {name === undefined ? null : <bdi>{name}</bdi>}
        {rest}
      </Fragment>
    )
  })
}

/** Text from outside: never HTML, everything invisible made visible, its direction its own. */
export function SafeText({ children }: { children: string }): ReactNode {
  return <bdi>{visible(children)}</bdi>
}
