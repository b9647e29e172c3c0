import { describe, expect, test } from 'vitest'
import { createDrafts, type DraftStorage } from './drafts.ts'

function memory(): DraftStorage & { keys(): string[]; text(): string } {
  const map = new Map<string, string>()
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    key: (index) => [...map.keys()][index] ?? null,
    get length() {
      return map.size
    },
    keys: () => [...map.keys()],
    text: () => JSON.stringify([...map]),
  }
}
const ada = () => 'ada'

describe('drafts with a storage', () => {
  test('a draft survives a new page with its storable part, and only that', () => {
    const storage = memory()
    createDrafts({ storage, owner: ada }).set('q1', { name: 'Ada', key: 'hunter2' }, { name: 'Ada' })
    expect(storage.text()).not.toContain('hunter2')
    const later = createDrafts({ storage, owner: ada })
    expect(later.get('q1')).toEqual({ name: 'Ada' })
    expect(later.get('q1')).toBe(later.get('q1'))
  })

  test('an answered question leaves nothing behind', () => {
    const storage = memory()
    const drafts = createDrafts({ storage, owner: ada })
    drafts.set('q1', { name: 'Ada' }, { name: 'Ada' })
    drafts.forget('q1')
    expect(drafts.get('q1')).toBeUndefined()
    expect(storage.keys()).toEqual([])
  })

  test('a question that ended unanswered keeps the storable part in memory and storage', () => {
    const storage = memory()
    const drafts = createDrafts({ storage, owner: ada })
    drafts.set('q1', { name: 'Ada', key: 'hunter2' }, { name: 'Ada' })
    drafts.retire('q1')
    expect(drafts.get('q1')).toEqual({ name: 'Ada' })
    expect(createDrafts({ storage, owner: ada }).get('q1')).toEqual({ name: 'Ada' })
  })

  test('another user of the same tab reads nothing, and what the last one typed is removed', () => {
    const storage = memory()
    createDrafts({ storage, owner: ada }).set('q1', { name: 'Ada' }, { name: 'Ada' })
    storage.setItem('other', 'stays')
    expect(createDrafts({ storage, owner: () => 'ad' }).get('q1')).toBeUndefined()
    expect(storage.keys()).toEqual(['other'])
  })

  test('a user who becomes known after the first look still finds the draft', () => {
    const storage = memory()
    createDrafts({ storage, owner: ada }).set('q1', { name: 'Ada' }, { name: 'Ada' })
    let user: string | undefined
    const drafts = createDrafts({ storage, owner: () => user })
    expect(drafts.get('q1')).toBeUndefined()
    user = 'ada'
    expect(drafts.get('q1')).toEqual({ name: 'Ada' })
  })

  test('a storage that is full, broken or holds nonsense costs nothing but the reload', () => {
    const full = { ...memory(), setItem: () => fail(), getItem: () => fail(), removeItem: () => fail() }
    const drafts = createDrafts({ storage: full, owner: ada })
    drafts.set('q1', { name: 'Ada' }, { name: 'Ada' })
    expect(drafts.get('q1')).toEqual({ name: 'Ada' })
    drafts.forget('q1')
    for (const nonsense of ['{', '7', '[]', 'null']) {
      const storage = memory()
      storage.setItem('holdpoint.draft:["ada","q1"]', nonsense)
      expect(createDrafts({ storage, owner: ada }).get('q1')).toBeUndefined()
    }
  })
})

function fail(): never {
  throw new DOMException('full', 'QuotaExceededError')
}
