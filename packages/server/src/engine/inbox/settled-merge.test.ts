import { seeded } from '@holdpoint/conformance/seeded'
import { expect, test } from 'vitest'
import type { Row } from '../../store/port.ts'
import { SettledMerge, type Source } from './settled-merge.ts'

interface Session extends Source {
  ids: string[]
}

/** The pages of these sessions, read with a limit of reads for each page, so that sessions are left unfinished. */
function readAll(sessions: readonly Session[], isShown: (id: string) => boolean, limit: number, reads: number) {
  const pages: string[][] = []
  let after = ''
  for (;;) {
    const merge = new SettledMerge(limit)
    const read = (session: Session, from: string, count: number) => {
      const found = session.ids.filter((id) => id > from).slice(0, count)
      const rows = found.filter((id) => session.own || isShown(id)).map((id) => ({ id }) as Row)
      merge.add(session, rows, found.length < count ? undefined : found.at(-1))
    }
    for (const session of sessions) read(session, after, 2)
    for (let n = 0; n < reads || (merge.page().next ?? '~') <= after; n++) {
      const behind = merge.blocking()
      if (!behind) break
      read(behind.source as Session, behind.lastId, 3)
    }
    const { rows, next } = merge.page()
    pages.push(rows.map(({ id }) => id))
    if (next === undefined) return pages
    expect(next > after).toBe(true)
    after = next
  }
}

test('pages of many sessions contain each settled question once and in order, with any number of reads', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seeded(seed)
    const below = (n: number) => Math.floor(random() * n)
    let made = 0
    const sessions = Array.from({ length: 1 + below(6) }, (_, n): Session => {
      // Few moments, so that several questions share one.
      const id = () => `q${String(below(30)).padStart(9, '0')}${String(++made).padStart(22, 'x')}`
      return { partition: `s${n}`, own: below(3) > 0, ids: Array.from({ length: below(25) }, id).sort() }
    })
    const isShown = (id: string) => id.charCodeAt(31) % 4 === 0
    const pages = readAll(sessions, isShown, 1 + below(8), below(4))
    const expected = sessions.flatMap(({ own, ids }) => ids.filter((id) => own || isShown(id))).sort()
    expect(pages.flat(), `seed ${seed}`).toEqual(expected)
  }
})

test('a cursor has no id of a question of another user that is not on the page', () => {
  const merge = new SettledMerge(5)
  merge.add({ partition: 'theirs', own: false }, [], 'q0000000015ecretsecretsecretxx')
  expect(merge.page()).toEqual({ rows: [], next: 'q000000001' })
})
