import ts from 'typescript'

/** A piece of prose in a file: a comment, a message, a paragraph. */
export interface Prose {
  line: number
  text: string
}

/** The comments and strings of a TypeScript file. Comment lines that follow each other are one text. */
export function proseOfCode(file: string, source: string): Prose[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true, kind)
  const found: Prose[] = []
  const seen = new Set<number>()
  const add = (pos: number, text: string) => {
    found.push({ line: tree.getLineAndCharacterOfPosition(pos).line + 1, text: text.replace(/\s+/g, ' ') })
  }
  const comments = (ranges: readonly ts.CommentRange[] | undefined) => {
    const fresh = (ranges ?? []).filter(({ pos }) => !seen.has(pos))
    for (const { pos } of fresh) seen.add(pos)
    const text = fresh.map(({ pos, end }) => source.slice(pos, end).replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, ''))
    if (fresh[0]) add(fresh[0].pos, text.join(' '))
  }
  const visit = (node: ts.Node): void => {
    comments(ts.getLeadingCommentRanges(source, node.pos))
    comments(ts.getTrailingCommentRanges(source, node.end))
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteral(node) || ts.isJsxText(node)) add(node.getStart(), node.text)
    else if (ts.isNoSubstitutionTemplateLiteral(node)) add(node.getStart(), node.text)
    else if (ts.isTemplateExpression(node)) {
      add(node.getStart(), [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'))
    }
    for (const child of node.getChildren(tree)) visit(child)
  }
  visit(tree)
  return found
}

/** The paragraphs, list items and table rows of a Markdown file, without code. */
export function proseOfMarkdown(source: string): Prose[] {
  const found: Prose[] = []
  let inFence = false
  let open: Prose | undefined
  source.split('\n').forEach((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence
    const isText = !inFence && line.trim() !== '' && !/^\s*(```|~~~)/.test(line)
    if (!isText) open = undefined
    else {
      const text = line.replace(/`[^`]*`/g, '`…`').trim()
      const begins = /^([-*|>#]|\d+\.)/.test(text)
      if (open && !begins) open.text += ` ${text}`
      else {
        open = { line: index + 1, text }
        found.push(open)
      }
    }
  })
  return found
}
