import { escapeInvisible } from '@holdpoint/core/internal'

/**
 * Characters that begin a mention, a link or a format on some platform, with similar characters that have no effect.
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '*': '∗',
  '`': 'ˋ',
  '~': '∼',
  '[': '［',
  ']': '］',
  '|': '｜',
  '\\': '＼',
  '{': '｛',
  '}': '｝',
  _: '＿',
  '@': '＠',
  '#': '＃',
}

/**
 * Returns text that every platform shows unchanged, without effect as Slack's mrkdwn, Telegram's entities, or Discord's
 * and Teams' Markdown. The Chat SDK escapes for some platforms only. `a_b` and `ada@example.com` do not change, because
 * neither begins a mention, a link or a format. Discord finds `@everyone` and `@here` inside of words too.
 */
export function plain(text: string): string {
  return escapeInvisible(text)
    .replace(/[<>*`~[\]|\\{}]/g, (character) => LOOKALIKES[character] ?? character)
    .replace(
      /(?<![\p{L}\p{N}])[_@]|@(?=everyone|here)|_(?![\p{L}\p{N}])/gu,
      (character) => LOOKALIKES[character] ?? character,
    )
    .replace(/^(\s*)(#+)/gm, (_all, space: string, marks: string) => space + marks.replaceAll('#', '＃'))
}
