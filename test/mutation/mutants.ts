import ts from 'typescript'
import { textMutants } from './text-mutants.ts'

/** One change that takes a defense away. */
export interface Mutant {
  file: string
  line: number
  kind: string
  /** The original text, in one line. */
  was: string
  start: number
  end: number
  text: string
}

type Add = (kind: string, named: ts.Node, replaced: ts.Node, text: string) => void

const Kind = ts.SyntaxKind
const BOUNDARIES = new Map<ts.SyntaxKind, string>([
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
])
const EQUALITIES = new Set<ts.SyntaxKind>([Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken])

/** Returns every defense of a file: of its TypeScript, and of the SQL and Lua in its strings. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
  const found: Mutant[] = []
  const note = (kind: string, was: string, start: number, end: number, text: string) => {
    const line = tree.getLineAndCharacterOfPosition(start).line + 1
    found.push({ file, line, kind, was: was.replace(/\s+/g, ' ').trim().slice(0, 110), start, end, text })
  }
  const add: Add = (kind, named, replaced, text) =>
    note(kind, named.getText(), replaced.getStart(), replaced.getEnd(), text)
  const visit = (node: ts.Node): void => {
    conditions(node, add)
    steps(node, add)
    failures(node, add)
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      for (const { kind, was, from, to, text } of textMutants(node.getText())) {
        const at = node.getStart()
        note(kind, was, at + from, at + to, text)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** Conditions that are checked before an effect. */
function conditions(node: ts.Node, add: Add): void {
  if (ts.isIfStatement(node)) {
    const { expression } = node
    // As a boolean: behind a constant the compiler forgets what is not null, and would take its own errors for a kill.
    const guards = leaves(node.thenStatement) && !node.elseStatement
    add(
      guards ? 'guard removed' : 'branch never taken',
      node,
      expression,
      `(false as boolean) && (${expression.getText()})`,
    )
    if (!guards) add('branch always taken', node, expression, `(true as boolean) || (${expression.getText()})`)
  }
  if (ts.isConditionalExpression(node)) {
    add('first choice always', node, node, `(${node.whenTrue.getText()})`)
    add('second choice always', node, node, `(${node.whenFalse.getText()})`)
  }
  if (!ts.isBinaryExpression(node)) return
  const { kind } = node.operatorToken
  if (kind === Kind.AmpersandAmpersandToken || kind === Kind.BarBarToken) {
    add('right half dropped', node, node, `(${node.left.getText()})`)
    add('left half dropped', node, node, `(${node.right.getText()})`)
  }
  if (kind === Kind.QuestionQuestionToken) add('default dropped', node, node, `(${node.left.getText()})`)
  if (kind === Kind.QuestionQuestionEqualsToken) add('not only once', node, node.operatorToken, '=')
  const boundary = BOUNDARIES.get(kind)
  if (boundary) add('boundary moved', node, node.operatorToken, boundary)
  // Where a condition is asked, what asks it is changed above; a comparison that is a value of its own is decided here.
  if (EQUALITIES.has(kind) && (ts.isReturnStatement(node.parent) || ts.isArrowFunction(node.parent))) {
    add('comparison always true', node, node, 'true')
    add('comparison always false', node, node, 'false')
  }
}

/** Effects, and awaited calls. */
function steps(node: ts.Node, add: Add): void {
  if (ts.isExpressionStatement(node)) {
    const { expression } = node
    const awaited = ts.isAwaitExpression(expression)
    if (awaited) add('not waited for', node, node, `void ${expression.expression.getText()}`)
    const call = awaited ? expression.expression : expression
    if (ts.isCallExpression(call) && call.expression.kind !== Kind.SuperKeyword)
      add('step left out', node, node, 'void 0')
  }
  if (ts.isCallExpression(node) && /^Math\.(min|max)$/.test(node.expression.getText()) && node.arguments.length === 2) {
    for (const kept of node.arguments) add('limit dropped', node, node, `(${kept.getText()})`)
  }
}

/** The handling of failures. */
function failures(node: ts.Node, add: Add): void {
  if (ts.isThrowStatement(node) && !isGuarded(node)) add('error not thrown', node, node, 'void 0')
  if (ts.isCatchClause(node)) add('error let through', node, node, 'catch (mutated) { throw mutated }')
  if (ts.isTryStatement(node) && node.finallyBlock)
    add('nothing at the end', node.finallyBlock, node.finallyBlock, '{}')
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression
    if (name.text === 'catch') add('rejection let through', node, node, expression.getText())
  }
}

/** Whether an `if` decides about this statement: then that is mutated. */
function isGuarded(statement: ts.Statement): boolean {
  const holder = ts.isBlock(statement.parent) ? statement.parent.parent : statement.parent
  return ts.isIfStatement(holder)
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
