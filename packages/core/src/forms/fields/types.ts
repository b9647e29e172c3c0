import type { InputField, InputSchema } from '../../protocol/fields.ts'

export type { InputField, InputSchema }

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** A field as parameter: `InputField`, or the same declared `as const`. */
export type FieldSpec = DeepReadonly<InputField>
/** A form as parameter: its fields, or the `inputSchema` of a question. */
export type FormSpec = readonly FieldSpec[] | DeepReadonly<InputSchema>

/** The value of a `file` field: the response of `POST /sessions/:id/uploads`. */
export interface UploadedFile {
  handle: string
  name: string
  size: number
  type: string
}

/** The value of a `daterange` field: its first and its last day, as `YYYY-MM-DD`. */
export interface DateRange {
  from: string
  to: string
}

/**
 * One problem of one field. `code` selects the sentence in the reader's language, `params` fill it; `message` is the
 * English one.
 */
export interface FieldProblem {
  code:
    | 'required'
    | 'not_ticked'
    | 'type'
    | 'too_short'
    | 'too_long'
    | 'too_small'
    | 'too_big'
    | 'not_integer'
    | 'bad_email'
    | 'bad_url'
    | 'bad_date'
    | 'bad_datetime'
    | 'not_an_option'
    | 'too_few'
    | 'too_many'
    | 'pattern'
    | 'bad_file'
    | 'bad_phone'
    | 'bad_range'
    | 'range_order'
    | 'too_precise'
    | 'not_asked'
    | 'unknown_field'
    | 'custom'
  message: string
  params?: Record<string, string | number>
}

/** The result of checking a form: the values to send, or all problems by field. */
export type ValidationResult<Value = Record<string, unknown>> =
  | { ok: true; value: Value }
  | { ok: false; problems: Record<string, FieldProblem[]> }

type OptionOf<F> = F extends { other: true }
  ? string
  : F extends { options: readonly { value: infer Value }[] }
    ? Value
    : string
type ValueOf<F> = F extends { type: 'number' | 'integer' | 'money' }
  ? number
  : F extends { type: 'daterange' }
    ? DateRange
    : F extends { type: 'checkbox' }
      ? F extends { const: true }
        ? true
        : boolean
      : F extends { type: 'select' | 'radio' }
        ? OptionOf<F>
        : F extends { type: 'multiselect' }
          ? OptionOf<F>[]
          : F extends { type: 'file' }
            ? F extends { multiple: true }
              ? UploadedFile[]
              : UploadedFile
            : string

type FieldsOf<S> = S extends { fields: readonly (infer F)[] } ? F : S extends readonly (infer F)[] ? F : never
type IdOf<F> = F extends { id: infer Id extends string } ? Id : never
/** A required field that is asked only under a condition may still be absent. */
type Always<F> = F extends { when: object } ? never : F extends { required: true } ? IdOf<F> : never
type Values<F> = {
  [K in F as Always<K>]: ValueOf<K>
} & { [K in F as Always<K> extends never ? IdOf<K> : never]?: ValueOf<K> }
type Flat<T> = { [K in keyof T]: T[K] }

/** The type of a valid answer to a form; `Record<string, unknown>` if the fields are known only at run time. */
export type InferInput<S extends FormSpec> =
  string extends IdOf<FieldsOf<S>> ? Record<string, unknown> : Flat<Values<FieldsOf<S>>>
