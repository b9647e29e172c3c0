import { expect, test } from 'vitest'

test('browser tests run in a real Chromium', () => {
  expect(navigator.userAgent).toContain('Chrome')
  expect(document.createElement('dialog')).toBeInstanceOf(HTMLDialogElement)
})
