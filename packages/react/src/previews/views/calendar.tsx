import { readableArgs } from '@holdpoint/core/readable'
import { useCard } from '../../card/elements/card-context.ts'
import { ReadableValue } from '../../readable/readable-value.tsx'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { calendarFields, Person } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf, textsOf } from './rows.tsx'

const guestOf = (guest: string | Person): string =>
  typeof guest === 'string' ? guest : guest.name ? `${guest.name} <${guest.email}>` : `${guest.email}`

export default function CalendarView({ values }: PreviewProps<typeof calendarFields>) {
  const words = usePreviewWords()
  const { locale } = useCard()
  const { title, start, end, timeZone, place, guests, description } = values
  const moment = (text: string) => readableArgs(text, { locale })
  return (
    <>
      <div className="hp-preview-title">
        <bdi>{title}</bdi>
      </div>
      <PreviewRows
        rows={[
          [words.starts, moment(start)],
          [words.ends, end && moment(end)],
          [words.timeZone, timeZone && textOf(timeZone)],
          [words.place, place && textOf(place)],
          [words.guests, guests && textsOf(guests.map(guestOf))],
        ]}
      />
      {description ? (
        <div className="hp-preview-body">
          <ReadableValue value={textOf(description)} />
        </div>
      ) : null}
    </>
  )
}
