import { english, type Messages } from '@holdpoint/core/messages'
import { arabic } from '@holdpoint/core/messages/ar'
import { german } from '@holdpoint/core/messages/de'
import { spanish } from '@holdpoint/core/messages/es'
import { french } from '@holdpoint/core/messages/fr'
import { japanese } from '@holdpoint/core/messages/ja'
import { simplifiedChinese } from '@holdpoint/core/messages/zh'

/** The language of a page: its tag, its texts and its direction. */
export interface PageLanguage {
  locale: string
  messages: Messages
  direction: 'ltr' | 'rtl'
  /** The text of a page that shows nothing: its link has expired, or the user may not see the question. */
  cannotOpen: string
}

const shipped = (): Readonly<Record<string, Messages>> => ({
  ...{ en: english, de: german, ar: arabic },
  ...{ es: spanish, fr: french, ja: japanese, zh: simplifiedChinese },
})
const CANNOT_OPEN: Readonly<Record<string, string>> & { en: string } = {
  en: 'This question cannot be opened. The link may have expired.',
  de: 'Diese Frage kann nicht geöffnet werden. Vielleicht ist der Link abgelaufen.',
  ar: 'لا يمكن فتح هذا السؤال. ربما انتهت صلاحية الرابط.',
  es: 'No se puede abrir esta pregunta. Puede que el enlace haya caducado.',
  fr: 'Impossible d’ouvrir cette question. Le lien a peut-être expiré.',
  ja: 'この質問を開けません。リンクの有効期限が切れている可能性があります。',
  zh: '无法打开此问题。链接可能已过期。',
}
const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/

/** Returns the first accepted language that has texts, otherwise English. */
export function languageOf(accepted: string | null, added: Readonly<Record<string, Messages>> = {}): PageLanguage {
  const all = new Map(Object.entries({ ...shipped(), ...added }))
  for (const locale of wanted(accepted)) {
    const general = locale.split('-')[0] ?? ''
    const messages = all.get(locale) ?? all.get(general)
    const cannotOpen = CANNOT_OPEN[general] ?? CANNOT_OPEN.en
    if (messages) return { locale, messages, direction: RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr', cannotOpen }
  }
  return { locale: 'en', messages: all.get('en') ?? english, direction: 'ltr', cannotOpen: CANNOT_OPEN.en }
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
