import { expectTypeOf, test } from 'vitest'
import type { ClassNames, SlotName } from './slots.ts'

test('classNames accepts only names of parts: a misspelt name does not compile', () => {
  expectTypeOf<{ approve: string; 'pop-out-view': string }>().toExtend<ClassNames>()
  expectTypeOf<'aprove'>().not.toExtend<SlotName>()
  // @ts-expect-error -- there is no such part
  const misspelt: ClassNames = { aprove: 'btn' }
  void misspelt
})
