import { english, type Messages } from '@holdpoint/core/messages'
import { arabic } from '@holdpoint/core/messages/ar'
import { german } from '@holdpoint/core/messages/de'
import { spanish } from '@holdpoint/core/messages/es'
import { french } from '@holdpoint/core/messages/fr'
import { japanese } from '@holdpoint/core/messages/ja'
import { simplifiedChinese } from '@holdpoint/core/messages/zh'

/** The sentences that only an answer page has, and no card. All keys are required, as in `Messages`. */
interface PageSentences {
  /** The only text of a page for a link that has expired, was revoked or never existed. */
  cannotOpen: string
}

/** All texts of an answer page. */
export type PageTexts = Messages & PageSentences

/** The shipped texts by language. */
export const shippedTexts = (): Readonly<Record<string, PageTexts>> & { en: PageTexts } => ({
  en: {
    ...english,
    cannotOpen: 'This question cannot be opened. The link may have expired.',
  },
  de: {
    ...german,
    cannotOpen: 'Diese Frage kann nicht geöffnet werden. Vielleicht ist der Link abgelaufen.',
  },
  ar: {
    ...arabic,
    cannotOpen: 'لا يمكن فتح هذا السؤال. ربما انتهت صلاحية الرابط.',
  },
  es: {
    ...spanish,
    cannotOpen: 'No se puede abrir esta pregunta. Puede que el enlace haya caducado.',
  },
  fr: {
    ...french,
    cannotOpen: 'Impossible d’ouvrir cette question. Le lien a peut-être expiré.',
  },
  ja: {
    ...japanese,
    cannotOpen: 'この質問を開けません。リンクの有効期限が切れている可能性があります。',
  },
  zh: {
    ...simplifiedChinese,
    cannotOpen: '无法打开此问题。链接可能已过期。',
  },
})
