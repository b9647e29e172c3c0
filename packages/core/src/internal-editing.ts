/** What only the editor of arguments needs, which pages load when a person opens it. */
export { editableArgs, withValue } from './readable/editable-args.ts'
export { labelsOf } from './readable/labels.ts'
