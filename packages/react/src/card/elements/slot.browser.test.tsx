import { createRef, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Slot } from './slot.tsx'

const link = () => document.querySelector('a')!

test('a part gives its attributes to the child, whose own attributes win, and joins classes, styles and descriptions', async () => {
  await render(
    <Slot
      id="ours"
      title="Ours"
      className="hp-part"
      style={{ color: 'red', margin: 0 }}
      aria-describedby="one"
      data-slot="prompt"
    >
      <a href="#x" title="Theirs" className="mine" style={{ color: 'blue' }} aria-describedby="two">
        Text
      </a>
    </Slot>,
  )
  const { id, title, className, style, dataset } = link()
  expect({ id, title, className, slot: dataset.slot, color: style.color, margin: style.margin }).toEqual({
    id: 'ours',
    title: 'Theirs',
    className: 'hp-part mine',
    slot: 'prompt',
    color: 'blue',
    margin: '0px',
  })
  expect(link().getAttribute('aria-describedby')).toBe('one two')
})

test('both handlers of an event run, that of the child first', async () => {
  const order: string[] = []
  await render(
    <Slot onClick={() => order.push('part')} onFocus={() => order.push('focus')}>
      <button type="button" onClick={() => order.push('child')} onFocus={undefined}>
        Text
      </button>
    </Slot>,
  )
  const button = document.querySelector('button')!
  button.focus()
  button.click()
  expect(order).toEqual(['focus', 'child', 'part'])
})

test('the refs of the part and of the child receive the element, and lose it when it goes', async () => {
  const [part, child, cleanup] = [createRef<HTMLElement>(), createRef<HTMLAnchorElement>(), vi.fn()]
  const content = (on: boolean): ReactNode =>
    on ? (
      <Slot ref={part}>
        <a href="#x" ref={child}>
          Text
        </a>
      </Slot>
    ) : null
  const { rerender } = await render(content(true))
  expect([part.current, child.current]).toEqual([link(), link()])
  const element = link()
  await rerender(content(true))
  expect(link()).toBe(element)
  await rerender(content(false))
  expect([part.current, child.current]).toEqual([null, null])
  const { unmount } = await render(
    <Slot ref={part}>
      <a href="#x" ref={() => cleanup}>
        Text
      </a>
    </Slot>,
  )
  await unmount()
  expect(cleanup).toHaveBeenCalledOnce()
  expect(part.current).toBeNull()
})

test('a part without exactly one element as its child says what to change', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(render(<Slot>Text</Slot>)).rejects.toThrow('exactly one React element')
})
