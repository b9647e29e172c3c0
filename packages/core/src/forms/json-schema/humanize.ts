/** Returns a label for a key without one: `firstName`, `first_name` and `first-name` become "First name". */
export function humanize(key: string): string {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_\-.]+/)
    .filter(Boolean)
    .map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words ? words[0]!.toUpperCase() + words.slice(1) : key
}
