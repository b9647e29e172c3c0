import type { ComponentType } from 'react'
import type { ControlProps } from '../values/types.ts'
import { FileControl } from './file-control.tsx'
import { FilterControl } from './filter-control.tsx'
import { MoneyControl } from './money-control.tsx'
import { OtherControl } from './other-control.tsx'
import { PhoneControl } from './phone-control.tsx'
import { RangeControl } from './range-control.tsx'
import { SearchControl } from './search-control.tsx'
import { SecretControl } from './secret-control.tsx'

/** The controls of rare field types, and of choices that are more than a list. `rare-control.tsx`, which is loaded with every form, has their names as well. */
export const controls: Readonly<Record<string, ComponentType<ControlProps>>> = {
  daterange: RangeControl,
  file: FileControl,
  filter: FilterControl,
  money: MoneyControl,
  other: OtherControl,
  phone: PhoneControl,
  search: SearchControl,
  secret: SecretControl,
}
