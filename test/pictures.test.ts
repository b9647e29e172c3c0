import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { animatedPng, chunksOf } from '../scripts/animated-png.ts'

const ROOT = join(import.meta.dirname, '..')
const pictures = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/"(docs\/images\/answer-\w+\.png)"/g)]

test('README.md shows the animation in light and dark, each below 300 kB', () => {
  expect(pictures.map(([, file]) => file).sort()).toEqual([
    'docs/images/answer-dark.png',
    'docs/images/answer-light.png',
  ])
  for (const [, file = ''] of pictures) {
    const png = readFileSync(join(ROOT, file))
    expect(png.length).toBeLessThan(300_000)
    expect(chunksOf(png).filter(({ type }) => type === 'fcTL')).toHaveLength(2)
  }
})

test('an animated PNG keeps the image data of each frame', () => {
  const [first] = pictures
  const png = readFileSync(join(ROOT, first?.[1] ?? ''))
  const frame = chunksOf(png).filter(({ type }) => type !== 'acTL' && type !== 'fcTL' && type !== 'fdAT')
  const still = Buffer.concat([png.subarray(0, 8), ...frame.flatMap(({ type, data }) => raw(type, data))])
  const both = chunksOf(animatedPng([still, still], 100))
  const size = (name: string, skip: number) =>
    both.filter(({ type }) => type === name).reduce((sum, { data }) => sum + data.length - skip, 0)
  expect(size('fdAT', 4)).toBe(size('IDAT', 0))
  expect(size('IDAT', 0)).toBeGreaterThan(0)
})

test('animatedPng rejects a list without frames', () => {
  expect(() => animatedPng([], 100)).toThrow('needs at least one frame')
})

function raw(type: string, data: Buffer): Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return [length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]
}
