/**
 * Exports about forms that the packages share. It is apart from `internal`, because bundlers load all of an import path that a page
 * and one of its later parts have in common.
 */
export { checkFields } from './forms/fields/check-fields.ts'
export { askedFields, type FieldGroup, groupsOf } from './forms/fields/conditions.ts'
export { toLocalDateTime } from './forms/fields/datetime.ts'
export { decimalsOf, OTHER_LENGTH } from './forms/fields/read-special.ts'
export { redactInput } from './forms/fields/redact-input.ts'
export { flattenSchema } from './forms/json-schema/flatten-schema.ts'
