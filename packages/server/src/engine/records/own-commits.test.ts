import { expect, test } from 'vitest'
import { OwnCommits } from './own-commits.ts'

const appended = (events: readonly string[]) => ({ epoch: 'e', firstSeq: 1, events })

test('a notification counts as foreign unless all of its commits are of this engine', () => {
  const own = new OwnCommits()
  const [mine, also, other]: [string[], string[], string[]] = [[], ['{}'], []]
  own.add(mine)
  own.add(also)
  const notification = new Map([
    ['mine', [appended(mine), appended(also)]],
    ['shared', [appended(mine), appended(other)]],
    ['copied', [appended([...also])]],
  ])
  expect(own.foreign(['mine', 'shared', 'copied', 'elsewhere'], notification)).toEqual([
    'shared',
    'copied',
    'elsewhere',
  ])
})

test('a driver whose history may change says by the lists of events which commits are of this engine', () => {
  const own = new OwnCommits()
  const [mine, other]: [string[], string[]] = [['{}'], ['{}']]
  own.add(mine)
  const lists = new Map([
    ['mine', [mine]],
    ['shared', [mine, other]],
    ['no list', [undefined]],
  ])
  expect(own.foreign(['mine', 'shared', 'no list', 'elsewhere'], new Map(), lists)).toEqual([
    'shared',
    'no list',
    'elsewhere',
  ])
})
