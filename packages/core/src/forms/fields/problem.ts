import type { FieldProblem } from './types.ts'

type Code = FieldProblem['code']
type Params = NonNullable<FieldProblem['params']>

/**
 * The English sentence for each problem code: a string, or a function of the problem's `params`. Translate it for
 * another language; `@holdpoint/react` shows this one by default.
 *
 * @example const german: typeof problemsInEnglish = { ...problemsInEnglish, required: 'Bitte beantworten Sie das.' }
 */
export const problemsInEnglish: { [C in Code]: string | ((params: Params) => string) } = {
  required: 'Give an answer.',
  not_ticked: 'This must be ticked.',
  type: ({ expected }) => `This must be ${expected}.`,
  too_short: ({ min }) => `Use ${min} or more characters.`,
  too_long: ({ max }) => `Use ${max} or fewer characters.`,
  too_small: ({ min }) => `Give ${min} or ${typeof min === 'string' ? 'later' : 'more'}.`,
  too_big: ({ max }) => `Give ${max} or ${typeof max === 'string' ? 'earlier' : 'less'}.`,
  not_integer: 'Give a whole number.',
  bad_email: 'Give an e-mail address, such as ada@example.com.',
  bad_url: 'Give a web address, such as https://example.com.',
  bad_date: 'Give a date, such as 2026-01-31.',
  bad_datetime: 'Give a date and time, such as 2026-01-31T09:30Z.',
  not_an_option: 'Choose one of the options.',
  too_few: ({ min }) => `Choose ${min} or more.`,
  too_many: ({ max }) => `Choose ${max} or fewer.`,
  pattern: 'This is not in the expected format.',
  bad_file: ({ reason, limit }) =>
    reason === 'size'
      ? `The file must be ${limit}${+limit! ? ' bytes' : ''} or less.`
      : `The file must be one of ${limit}.`,
  bad_phone: 'Give a phone number with its country code, such as +49 30 1234567.',
  bad_range: 'Give a start and an end.',
  range_order: 'The end must not be before the start.',
  too_precise: ({ digits, currency }) =>
    digits ? `${currency} has ${digits} decimals.` : `${currency} has no decimals.`,
  not_asked: 'This is not asked with your other answers. Leave it empty.',
  unknown_field: 'This field is not part of the form.',
  custom: 'This is not valid.',
}

/** A problem with its English sentence. */
export function problem(code: Code, params: Params = {}): FieldProblem {
  const sentence = problemsInEnglish[code]
  return { code, message: typeof sentence === 'string' ? sentence : sentence(params), params }
}
