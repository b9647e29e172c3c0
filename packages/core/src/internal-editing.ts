/** Exports that only the editor of arguments needs. Pages load it when a person opens the editor. */
export { type EditableGroup, type EditableValue, editableArgs, withValue } from './readable/editable-args.ts'
export { labelsOf } from './readable/labels.ts'
export { problemsOfForm, valueId, writtenArgs } from './readable/written-args.ts'
