import type { FieldProblem } from './types.ts'

type Code = FieldProblem['code']

/** English, by code. A translation takes `code` and `params` and writes its own sentence. */
const english: Record<Exclude<Code, 'bad_file'> | 'bad_file_type' | 'bad_file_size', string> = {
  required: 'An answer is needed.',
  type: 'This must be {expected}.',
  too_short: 'Use {min} or more characters.',
  too_long: 'Use {max} or fewer characters.',
  too_small: 'The lowest possible is {min}.',
  too_big: 'The highest possible is {max}.',
  not_integer: 'This must be a whole number.',
  bad_email: 'This must be an e-mail address, such as ada@example.com.',
  bad_url: 'This must be a web address, such as https://example.com.',
  bad_date: 'This must be a date, such as 2026-01-31.',
  bad_datetime: 'This must be a date and time, such as 2026-01-31T09:30Z.',
  not_an_option: 'Choose one of the options.',
  too_few: 'Choose {min} or more.',
  too_many: 'Choose {max} or fewer.',
  pattern: 'This is not in the expected format.',
  bad_file_type: 'The file must be one of {limit}.',
  bad_file_size: 'The file must be {limit} bytes or fewer.',
  unknown_field: 'There is no such field.',
  custom: 'This is not valid.',
}

/** A problem with its English sentence. */
export function problem(code: Code, params: NonNullable<FieldProblem['params']> = {}): FieldProblem {
  const sentence = english[code === 'bad_file' ? (`bad_file_${params.reason as 'type' | 'size'}` as const) : code]
  return { code, message: sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])), params }
}
