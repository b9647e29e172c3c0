import { say } from '@holdpoint/core/internal'
import { readableArgs } from '@holdpoint/core/readable'
import { CardButton } from '../../card/elements/button.tsx'
import type { Card } from '../../card/elements/card-context.ts'
import { Field } from '../../field/field.tsx'
import { asJson } from '../../readable/as-json.ts'
import { ReadableArguments } from '../../readable/readable-arguments.tsx'
import { visible } from '../../wording/escape.ts'
import type { Approval } from './approval-context.ts'
import { editedArgs, valuesOfArgs } from './edited-args.ts'
import { JsonEditor, ProblemLines } from './json-editor.tsx'

/**
 * The code of the first bundle that the editors of arguments need. They receive it instead of importing it: a module that
 * two bundles share becomes a chunk of its own, and small chunks compress worse.
 */
export const editorKit = {
  CardButton,
  Field,
  JsonEditor,
  ProblemLines,
  ReadableArguments,
  asJson,
  editedArgs,
  readableArgs,
  say,
  valuesOfArgs,
  visible,
}

/** With the card and the approval, because hooks must not come from a value. */
export type EditorKit = typeof editorKit & { card: Card; approval: Approval }
