/** The sentences that only messages have, and not cards. */
export interface MessageSentences {
  approval: string
  input: string
  connect: string
  /** The button that opens a form. */
  answer: string
  open: string
  waits: string
  reminder: string
  expires(time: string): string
  /** The tool continues at that time, and the question stays answerable. */
  continues(time: string): string
  personal: string
  done: string
}

const sentences: Readonly<Record<string, MessageSentences>> & { en: MessageSentences } = {
  en: {
    approval: 'Approval needed',
    input: 'Your answer is needed',
    connect: 'An account is needed',
    answer: 'Answer',
    open: 'Review and answer',
    waits: 'Nothing happens until you answer.',
    reminder: 'Reminder: this question is still open.',
    expires: (time) => `You can answer until ${time}.`,
    continues: (time) => `The assistant continues at ${time}. You can answer later.`,
    personal: 'The link is for you alone. Do not forward this e-mail.',
    done: 'You do not need to do anything.',
  },
  de: {
    approval: 'Ihre Freigabe wird gebraucht',
    input: 'Ihre Antwort wird gebraucht',
    connect: 'Ein Konto wird gebraucht',
    answer: 'Antworten',
    open: 'Ansehen und antworten',
    waits: 'Bis zu Ihrer Antwort passiert nichts.',
    reminder: 'Erinnerung: Diese Frage ist noch offen.',
    expires: (time) => `Sie können bis ${time} antworten.`,
    continues: (time) => `Der Assistent macht um ${time} weiter. Sie können später antworten.`,
    personal: 'Der Link ist nur für Sie. Leiten Sie diese E-Mail nicht weiter.',
    done: 'Sie müssen nichts tun.',
  },
  ar: {
    approval: 'مطلوب موافقتك',
    input: 'مطلوب ردك',
    connect: 'مطلوب ربط حساب',
    answer: 'الرد',
    open: 'المراجعة والرد',
    waits: 'لن يحدث شيء قبل ردك.',
    reminder: 'تذكير: ما زال هذا السؤال مفتوحًا.',
    expires: (time) => `يمكنك الرد حتى ${time}.`,
    continues: (time) => `سيتابع المساعد في ${time}. يمكنك الإجابة لاحقًا.`,
    personal: 'هذا الرابط لك وحدك. لا تُعِد توجيه هذه الرسالة.',
    done: 'ليس عليك فعل أي شيء.',
  },
  es: {
    approval: 'Se necesita su aprobación',
    input: 'Se necesita su respuesta',
    connect: 'Se necesita una cuenta',
    answer: 'Responder',
    open: 'Revisar y responder',
    waits: 'No ocurrirá nada hasta que responda.',
    reminder: 'Recordatorio: esta pregunta sigue abierta.',
    expires: (time) => `Puede responder hasta el ${time}.`,
    continues: (time) => `El asistente continúa el ${time}. Puede responder más tarde.`,
    personal: 'El enlace es solo para usted. No reenvíe este correo.',
    done: 'No tiene que hacer nada.',
  },
  fr: {
    approval: 'Votre accord est nécessaire',
    input: 'Votre réponse est nécessaire',
    connect: 'Un compte est nécessaire',
    answer: 'Répondre',
    open: 'Examiner et répondre',
    waits: 'Rien ne se passe avant votre réponse.',
    reminder: 'Rappel : cette question est toujours ouverte.',
    expires: (time) => `Vous pouvez répondre jusqu’au ${time}.`,
    continues: (time) => `L’assistant continue le ${time}. Vous pourrez répondre plus tard.`,
    personal: 'Ce lien est réservé à vous seul. Ne transférez pas cet e-mail.',
    done: 'Vous n’avez rien à faire.',
  },
  ja: {
    approval: '承認が必要です',
    input: '回答が必要です',
    connect: 'アカウントが必要です',
    answer: '回答する',
    open: '確認して回答する',
    waits: '回答があるまで何も実行されません。',
    reminder: 'リマインダー：この質問はまだ回答されていません。',
    expires: (time) => `回答期限：${time}`,
    continues: (time) => `${time} にアシスタントは先へ進みます。後から回答できます。`,
    personal: 'このリンクはあなた専用です。このメールを転送しないでください。',
    done: '対応の必要はありません。',
  },
  zh: {
    approval: '需要您的批准',
    input: '需要您的回答',
    connect: '需要一个账号',
    answer: '回答',
    open: '查看并回答',
    waits: '在您回答之前，不会执行任何操作。',
    reminder: '提醒：此问题仍待回答。',
    expires: (time) => `您可以在 ${time} 之前回答。`,
    continues: (time) => `助手将在 ${time} 继续。您可以稍后回答。`,
    personal: '此链接仅供您本人使用。请勿转发此邮件。',
    done: '您无需执行任何操作。',
  },
}

/** Returns the sentences in a language, or in English. */
export const sentencesIn = (locale: string): MessageSentences =>
  sentences[locale] ?? sentences[locale.split('-')[0] ?? ''] ?? sentences.en
