import { readableArgs } from '@holdpoint/core/readable'
import { type ReactNode, useMemo } from 'react'
import { useHydrated } from '../card/behavior/use-hydrated.ts'
import { useCard } from '../card/elements/card-context.ts'
import { useContentLang } from '../card/heading.tsx'
import { visible } from '../wording/escape.ts'
import { ReadableValue } from './readable-value.tsx'

/** Arguments as rows in the reader's language. `before` marks the rows in which they differ from it. */
export function ReadableArguments({ args, before }: { args: unknown; before?: unknown }): ReactNode {
  const { messages, locale } = useCard()
  const lang = useContentLang()
  const hydrated = useHydrated()
  const value = useMemo(
    () =>
      readableArgs(args, {
        locale,
        visible,
        // A server does not know the reader's time zone.
        ...(!hydrated && { timeZone: 'UTC' }),
        words: {
          ...{ yes: messages.yes, no: messages.no, none: messages.valueNone },
          ...{ empty: messages.valueEmpty, emptyList: messages.valueEmptyList },
        },
      }),
    [args, locale, messages, hydrated],
  )
  const changed = useMemo(() => (before === undefined ? undefined : changedKeys(before, args)), [before, args])
  return (
    <div className="hp-readable" data-slot="readable" lang={lang}>
      <ReadableValue value={value} {...(changed && { changed })} />
    </div>
  )
}

function changedKeys(before: unknown, after: unknown): ReadonlySet<string> {
  const old = Object(before) as Record<string, unknown>
  const keys = Object.entries(Object(after) as Record<string, unknown>)
    .filter(([key, value]) => !Object.hasOwn(old, key) || JSON.stringify(old[key]) !== JSON.stringify(value))
    .map(([key]) => key)
  return new Set(keys)
}
