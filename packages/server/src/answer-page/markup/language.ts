import { type PageTexts, shippedTexts } from './page-texts.ts'

/** The language of a page: its tag, its texts and its direction. */
export interface PageLanguage {
  locale: string
  messages: PageTexts
  direction: 'ltr' | 'rtl'
}

const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/

/** Returns the first accepted language that has texts, otherwise English. */
export function languageOf(accepted: string | null, added: Readonly<Record<string, PageTexts>> = {}): PageLanguage {
  const shipped = shippedTexts()
  const all = new Map(Object.entries({ ...shipped, ...added }))
  for (const locale of wanted(accepted)) {
    const messages = all.get(locale) ?? all.get(locale.split('-')[0] ?? '')
    if (messages) return { locale, messages, direction: RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr' }
  }
  return { locale: 'en', messages: all.get('en') ?? shipped.en, direction: 'ltr' }
}

/** Returns the tags of an Accept-Language header, the preferred one first. */
function wanted(accepted: string | null): string[] {
  const tags = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.split(';').map((piece) => piece.trim())
      return { tag, quality: Number(quality.slice(2)) || 0 }
    })
  const usable = tags.filter(({ tag, quality }) => quality > 0 && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag))
  return usable.sort((one, other) => other.quality - one.quality).map(({ tag }) => tag)
}
