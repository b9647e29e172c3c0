import { HoldpointError } from '@holdpoint/core'
import { type Context, useContext } from 'react'

/** Returns the context of the surrounding card. Without a card it throws an error with the remedy. */
export function useInside<T>(context: Context<T | null>, ...roots: [string, ...string[]]): T {
  const found = useContext(context)
  if (!found) {
    const elements = roots.map((root) => `<${root}.Root>`).join(' or ')
    throw new HoldpointError('no_card', `A part of a card was used outside of one. Put it into ${elements}.`)
  }
  return found
}
