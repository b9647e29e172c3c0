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

describe('drafts in a storage', () => {
  test('survive a reload with their storable part only', () => {
    const storage = memory()
    createDrafts({ storage, owner: ada }).set('q1', { name: 'Ada', key: 'hunter2' }, { name: 'Ada' })
    expect(storage.text()).not.toContain('hunter2')
    const later = createDrafts({ storage, owner: ada })
    expect(later.get('q1')).toEqual({ name: 'Ada' })
    expect(later.get('q1')).toBe(later.get('q1'))
  })

  test('are removed when the question is answered', () => {
    const storage = memory()
    const drafts = createDrafts({ storage, owner: ada })
    drafts.set('q1', { name: 'Ada' }, { name: 'Ada' })
    drafts.forget('q1')
    expect(drafts.get('q1')).toBeUndefined()
    expect(storage.keys()).toEqual([])
  })

  test('keep their storable part if the question ended without an answer', () => {
    const storage = memory()
    const drafts = createDrafts({ storage, owner: ada })
    drafts.set('q1', { name: 'Ada', key: 'hunter2' }, { name: 'Ada' })
    drafts.retire('q1')
    expect(drafts.get('q1')).toEqual({ name: 'Ada' })
    expect(createDrafts({ storage, owner: ada }).get('q1')).toEqual({ name: 'Ada' })
  })

  test('are hidden from another user of the same tab, and removed', () => {
    const storage = memory()
    createDrafts({ storage, owner: ada }).set('q1', { name: 'Ada' }, { name: 'Ada' })
    storage.setItem('other', 'stays')
    expect(createDrafts({ storage, owner: () => 'ad' }).get('q1')).toBeUndefined()
    expect(storage.keys()).toEqual(['other'])
  })

  test('are found also if the user becomes known after the first read', () => {
    const storage = memory()
    createDrafts({ storage, owner: ada }).set('q1', { name: 'Ada' }, { name: 'Ada' })
    let user: string | undefined
    const drafts = createDrafts({ storage, owner: () => user })
    expect(drafts.get('q1')).toBeUndefined()
    user = 'ada'
    expect(drafts.get('q1')).toEqual({ name: 'Ada' })
  })

  test('work without a reload if the storage is full, broken or invalid', () => {
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
