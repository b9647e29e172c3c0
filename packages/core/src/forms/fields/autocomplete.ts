/** Field names of the HTML standard, without the modifiers that may precede them. */
const NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ (
    'name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password ' +
    'current-password one-time-code organization-title organization street-address address-line1 address-line2 ' +
    'address-line3 address-level4 address-level3 address-level2 address-level1 country country-name postal-code ' +
    'cc-name cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type ' +
    'transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo'
  ).split(' '),
)
/** Field names that may follow "home", "work", "mobile", "fax" or "pager". */
const CONTACT =
  /^(?:tel(?:-(?:country-code|national|area-code|local|local-prefix|local-suffix|extension))?|email|impp)$/

/** Whether a text is a value of the HTML `autocomplete` attribute: `email`, `shipping postal-code`, `work tel`, `off`. */
export function isAutocomplete(text: string): boolean {
  const tokens = text.trim().toLowerCase().split(/\s+/)
  if (tokens.length === 1 && /^(?:on|off)$/.test(tokens[0] ?? '')) return true
  if (tokens[0]?.startsWith('section-')) tokens.shift()
  if (/^(?:shipping|billing)$/.test(tokens[0] ?? '')) tokens.shift()
  if (tokens.length > 1 && tokens.at(-1) === 'webauthn') tokens.pop()
  const contact = tokens.length > 1 && /^(?:home|work|mobile|fax|pager)$/.test(tokens[0] ?? '')
  if (contact) tokens.shift()
  const [name = '', ...rest] = tokens
  return rest.length === 0 && (CONTACT.test(name) || (!contact && NAMES.has(name)))
}
