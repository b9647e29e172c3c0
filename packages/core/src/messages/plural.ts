/** Forms by category of `Intl.PluralRules`. Every language has `other`. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/**
 * The form for a number, by the rules of a language.
 *
 * @example
 * plural('en', 3, { one: 'question', other: 'questions' }) // 'questions'
 */
export function plural(locale: string, count: number, forms: PluralForms): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
}
