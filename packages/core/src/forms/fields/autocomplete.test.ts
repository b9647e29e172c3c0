import { expect, test } from 'vitest'
import { isAutocomplete } from './autocomplete.ts'
import { checkFields } from './check-fields.ts'

test.each(['off', 'on', 'email', 'one-time-code', 'cc-number', 'section-a shipping work tel', 'billing postal-code'])(
  'autocomplete %j is a value of the HTML attribute',
  (autocomplete) => {
    expect(isAutocomplete(autocomplete)).toBe(true)
    expect(() => checkFields([{ type: 'text', id: 'a', label: 'A', autocomplete }])).not.toThrow()
  },
)

test.each(['', 'password', 'email off', 'home name', 'tel tel', 'section-a', 'work', 'webauthn', 'x" onfocus="y'])(
  'a form whose field has autocomplete %j is rejected with a code [T34.1]',
  (autocomplete) => {
    expect(isAutocomplete(autocomplete)).toBe(false)
    expect(() => checkFields([{ type: 'text', id: 'a', label: 'A', autocomplete }])).toThrow(
      /^Field "a" cannot be shown: .* autocomplete/,
    )
  },
)
