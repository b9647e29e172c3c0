/** Applies a unified diff to files and returns `{ path: text }` of the result. Throws if the diff does not fit. */
export function applyPatch(patch: string, read: (path: string) => string): Record<string, string> {
  const files = patch.split(/^--- a\//m).slice(1)
  return Object.fromEntries(files.map((file) => applyOne(file, read)))
}

function applyOne(file: string, read: (path: string) => string): [path: string, text: string] {
  const [from = '', to = '', ...lines] = file.split('\n')
  const before = read(from).split('\n')
  const after: string[] = []
  let at = 0
  for (const line of lines) {
    const start = /^@@ -(\d+)/.exec(line)?.[1]
    const text = line.slice(1)
    if (start !== undefined) while (at < Number(start) - 1) after.push(before[at++] ?? '')
    else if (line.startsWith('+')) after.push(text)
    else if (line !== '') {
      if (before[at] !== text) throw new Error(`The patch does not fit ${from}, line ${at + 1}: "${text}"`)
      at++
      if (line.startsWith(' ')) after.push(text)
    }
  }
  return [to.replace(/^\+\+\+ b\//, ''), [...after, ...before.slice(at)].join('\n')]
}
