import { escapeInvisible } from '@holdpoint/core/internal'
import { cut } from '../../shown.ts'

/** The maximum length of a text block in Slack. */
export const LONGEST_TEXT = 3_000

/** Returns plain text, so that no part of it becomes a mention, a link or a format. */
export const plain = (text: string) => ({ type: 'plain_text', text: escapeInvisible(text), emoji: false })

export const section = (text: string) => ({ type: 'section', text: plain(cut(escapeInvisible(text), LONGEST_TEXT)) })
