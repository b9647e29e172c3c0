import { origin } from '../origin.ts'

/** The address at which a mail is answered; null if the mail asks nothing. */
export function answerLinkOf(text: string): string | null {
  const start = `${origin}/holdpoint/answer/`
  return text.split(/\s+/).find((word) => word.startsWith(start)) ?? null
}
