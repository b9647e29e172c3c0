import { useSettings } from '../../settings/context.ts'

const english = {
  rest: 'Everything else',
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: 'Reply to',
  subject: 'Subject',
  attachments: 'Attachments',
  folder: 'Folder',
  database: 'Database',
  host: 'Host',
  address: 'Address',
  body: 'Body',
  account: 'Account',
  reference: 'Reference',
  date: 'Date',
  starts: 'Starts',
  ends: 'Ends',
  timeZone: 'Time zone',
  place: 'Place',
  guests: 'Guests',
  bytes: 'bytes',
}

/** The labels of previews. */
export type PreviewWords = typeof english

const german: PreviewWords = {
  rest: 'Alles Weitere',
  from: 'Von',
  to: 'An',
  cc: 'Kopie',
  bcc: 'Blindkopie',
  replyTo: 'Antwort an',
  subject: 'Betreff',
  attachments: 'Anhänge',
  folder: 'Ordner',
  database: 'Datenbank',
  host: 'Server',
  address: 'Adresse',
  body: 'Inhalt',
  account: 'Konto',
  reference: 'Verwendungszweck',
  date: 'Datum',
  starts: 'Beginn',
  ends: 'Ende',
  timeZone: 'Zeitzone',
  place: 'Ort',
  guests: 'Gäste',
  bytes: 'Byte',
}

const arabic: PreviewWords = {
  rest: 'كل ما عدا ذلك',
  from: 'من',
  to: 'إلى',
  cc: 'نسخة',
  bcc: 'نسخة مخفية',
  replyTo: 'الرد إلى',
  subject: 'الموضوع',
  attachments: 'المرفقات',
  folder: 'المجلد',
  database: 'قاعدة البيانات',
  host: 'الخادم',
  address: 'العنوان',
  body: 'المحتوى',
  account: 'الحساب',
  reference: 'الغرض',
  date: 'التاريخ',
  starts: 'البداية',
  ends: 'النهاية',
  timeZone: 'المنطقة الزمنية',
  place: 'المكان',
  guests: 'المدعوون',
  bytes: 'بايت',
}

const byLanguage: Readonly<Record<string, PreviewWords>> = { de: german, ar: arabic }

/** The labels in the language of the provider's `locale`; English for a language without labels. */
export function usePreviewWords(): PreviewWords {
  const language = useSettings().locale.split('-')[0]!
  return Object.hasOwn(byLanguage, language) ? byLanguage[language]! : english
}
