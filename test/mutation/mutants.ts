import ts from 'typescript'

/** One change that takes a defence away. */
export interface Mutant {
  file: string
  line: number
  /** What was there, in one line. */
  was: string
  kind: 'guard removed' | 'half of a condition dropped'
  start: number
  end: number
  text: string
}

/** Every defence of a file: guards that leave, and conditions of several parts. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
  const found: Mutant[] = []
  const add = (node: ts.Node, kind: Mutant['kind'], replaced: ts.Node, text: string) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
    const was = node.getText().replace(/\s+/g, ' ').slice(0, 110)
    found.push({ file, line, was, kind, start: replaced.getStart(), end: replaced.getEnd(), text })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && !node.elseStatement && leaves(node.thenStatement)) {
      // A cast, so that what TypeScript narrows by the guard goes on to run as it is.
      add(node, 'guard removed', node.expression, `false && (${node.expression.getText()})`)
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
      add(node, 'half of a condition dropped', node, `(${node.left.getText()})`)
      add(node, 'half of a condition dropped', node, `(${node.right.getText()})`)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement
  return (
    !!last &&
    (ts.isThrowStatement(last) ||
      ts.isReturnStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  )
}

/** A choice of `count` that is the same for the same seed. */
export function choose<T>(all: readonly T[], count: number, seed: number): T[] {
  const pool = [...all]
  let state = seed >>> 0 || 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from(
    { length: Math.min(count, pool.length) },
    () => pool.splice(Math.floor(next() * pool.length), 1)[0]!,
  )
}
