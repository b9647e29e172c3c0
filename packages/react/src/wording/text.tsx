import { Fragment, type ReactNode } from 'react'
import { ISOLATE, POP, visible } from './escape.ts'

/**
 * One of our sentences; the isolated names in it become `<bdi>`. It reads as its own language does: English cards on a
 * page from right to left would else say "Slack Connect" and "of 2 connected 0".
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

/** Text from outside: never HTML, everything invisible made visible, its direction its own. */
export function SafeText({ children }: { children: string }): ReactNode {
  return <bdi>{visible(children)}</bdi>
}
