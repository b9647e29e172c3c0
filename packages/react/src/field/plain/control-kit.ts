import { validateInput } from '@holdpoint/core/forms'
import { say, sizeText } from '@holdpoint/core/internal'
import { OTHER_LENGTH } from '@holdpoint/core/internal/forms'
import { CardButton } from '../../card/elements/button.tsx'
import type { Card } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { nameText, visible } from '../../wording/escape.ts'
import { Text } from '../../wording/text.tsx'
import { filesOf } from '../values/files.ts'
import { OptionText } from '../values/option-text.tsx'
import { hasOther, optionNamed, optionsOf, optionsWith } from '../values/options.ts'
import { described } from '../values/types.ts'
import { ChoiceControl } from './choice-control.tsx'
import { NumberControl } from './number-control.tsx'

/**
 * The code of the first bundle that the controls of rare fields need. They receive it instead of importing it: bundlers
 * give modules that both import chunks of their own, which compress worse.
 */
export const controlKit = {
  CardButton,
  ChoiceControl,
  NumberControl,
  OTHER_LENGTH,
  OptionText,
  Text,
  classes,
  described,
  filesOf,
  hasOther,
  nameText,
  optionNamed,
  optionsOf,
  optionsWith,
  say,
  sizeText,
  validateInput,
  visible,
}
export type ControlKit = typeof controlKit & { card: Card }
