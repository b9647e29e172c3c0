import { visible } from '@holdpoint/core/internal'
import { cut } from '../../shown.ts'

/** Characters of one text block that Slack takes. */
export const LONGEST_TEXT = 3_000

/** Plain text, so that nothing in it is a mention, a link or a format. */
export const plain = (text: string) => ({ type: 'plain_text', text: visible(text), emoji: false })

export const section = (text: string) => ({ type: 'section', text: plain(cut(visible(text), LONGEST_TEXT)) })
