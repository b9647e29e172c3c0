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
  /** To a person who answers a question that has ended, with its outcome. */
  didNotCount: string
  /** On a page with an outcome, after which nothing is left to do. */
  canClose: string
}

/** All texts of an answer page. */
export type PageTexts = Messages & PageSentences

/** The shipped texts by language. */
export const shippedTexts = (): Readonly<Record<string, PageTexts>> & { en: PageTexts } => ({
  en: {
    ...english,
    cannotOpen: 'This question cannot be opened. The link may have expired.',
    didNotCount: 'Your answer did not count, because this question had already ended.',
    canClose: 'You can close this page.',
  },
  de: {
    ...german,
    cannotOpen: 'Diese Frage kann nicht geöffnet werden. Vielleicht ist der Link abgelaufen.',
    didNotCount: 'Ihre Antwort zählt nicht, weil diese Frage schon beendet war.',
    canClose: 'Sie können diese Seite schließen.',
  },
  ar: {
    ...arabic,
    cannotOpen: 'لا يمكن فتح هذا السؤال. ربما انتهت صلاحية الرابط.',
    didNotCount: 'لم تُحتسب إجابتك لأن هذا السؤال كان قد انتهى.',
    canClose: 'يمكنك إغلاق هذه الصفحة.',
  },
  es: {
    ...spanish,
    cannotOpen: 'No se puede abrir esta pregunta. Puede que el enlace haya caducado.',
    didNotCount: 'Su respuesta no cuenta porque esta pregunta ya había terminado.',
    canClose: 'Puede cerrar esta página.',
  },
  fr: {
    ...french,
    cannotOpen: 'Impossible d’ouvrir cette question. Le lien a peut-être expiré.',
    didNotCount: 'Votre réponse ne compte pas, car cette question était déjà close.',
    canClose: 'Vous pouvez fermer cette page.',
  },
  ja: {
    ...japanese,
    cannotOpen: 'この質問を開けません。リンクの有効期限が切れている可能性があります。',
    didNotCount: 'この質問はすでに終了していたため、回答は反映されませんでした。',
    canClose: 'このページは閉じてかまいません。',
  },
  zh: {
    ...simplifiedChinese,
    cannotOpen: '无法打开此问题。链接可能已过期。',
    didNotCount: '此问题已经结束，因此您的回答未生效。',
    canClose: '您可以关闭此页面。',
  },
})
