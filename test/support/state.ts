import ts from 'typescript'
import { lineOf } from './graph.ts'

/** Constructors that may run at the top of a module, because their values are immutable. */
const IMMUTABLE = new Set(['RegExp', 'TextEncoder', 'URLPattern', 'Intl'])
const READONLY_TYPES = /^(ReadonlyMap|ReadonlySet|ReadonlyArray|Readonly)\b|^readonly /
const MUTATORS = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
  ...['set', 'add', 'delete', 'clear'],
])

/** Returns the values that a module keeps between calls: `file:line name: why`. */
export function moduleState(tree: ts.SourceFile): { name: string; line: number; why: string }[] {
  const found: { name: string; line: number; why: string }[] = []
  const literals = new Set<string>()
  const stickyPatterns = new Set<string>()
  const add = (node: ts.Node, name: string, why: string) => found.push({ name, line: lineOf(node), why })

  for (const statement of tree.statements) {
    if (ts.isVariableStatement(statement) && !isDeclared(statement)) {
      const constant = (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const
      for (const declaration of statement.declarationList.declarations) {
        const name = declaration.name.getText()
        if (!constant) add(declaration, name, 'can be assigned')
        else if (declaration.initializer) judge(name, declaration.initializer, declaration.type)
      }
    }
    if (ts.isClassDeclaration(statement)) {
      for (const member of statement.members) {
        if (!ts.isPropertyDeclaration(member) || !has(member, ts.SyntaxKind.StaticKeyword)) continue
        const name = `${statement.name?.text}.${member.name.getText()}`
        if (!has(member, ts.SyntaxKind.ReadonlyKeyword)) add(member, name, 'can be assigned')
        else if (member.initializer) judge(name, member.initializer, member.type)
      }
    }
  }
  ts.forEachChild(tree, findMutations)
  return found

  function judge(name: string, initializer: ts.Expression, type: ts.TypeNode | undefined): void {
    const value = unwrap(initializer)
    if (ts.isNewExpression(value)) {
      const made = value.expression.getText()
      if (IMMUTABLE.has(made.split('.')[0] as string)) return
      if (!type || !READONLY_TYPES.test(type.getText()))
        add(value, name, `new ${made} can change; say ReadonlyMap or ReadonlySet if it does not`)
    } else if (ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value)) {
      literals.add(name)
    } else if (ts.isRegularExpressionLiteral(value) && /[gy][a-z]*$/.test(value.text)) {
      stickyPatterns.add(name)
    }
  }

  function findMutations(node: ts.Node): void {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) mutation(node.left)
    else if (ts.isDeleteExpression(node)) mutation(node.expression)
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)
        mutation(node.operand)
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression
      if (MUTATORS.has(name.text)) mutation(node.expression)
      if ((name.text === 'exec' || name.text === 'test') && stickyPatterns.has(expression.getText())) {
        add(node, expression.getText(), `.${name.text}() of a /g or /y pattern moves its lastIndex`)
      }
      if (
        expression.getText() === 'Object' &&
        name.text === 'assign' &&
        node.arguments[0] &&
        literals.has(node.arguments[0].getText())
      ) {
        add(node, node.arguments[0].getText(), 'is assigned to')
      }
    }
    ts.forEachChild(node, findMutations)
  }

  function mutation(place: ts.Expression): void {
    let owner = place
    while (ts.isPropertyAccessExpression(owner) || ts.isElementAccessExpression(owner)) owner = owner.expression
    if (owner === place || !ts.isIdentifier(owner) || !literals.has(owner.text) || isShadowed(owner)) return
    add(place, owner.text, 'is changed after it was made')
  }
}

/** A parameter or local of the same name hides the module's. */
function isShadowed(use: ts.Identifier): boolean {
  for (let node: ts.Node | undefined = use.parent; node && !ts.isSourceFile(node); node = node.parent) {
    const locals = (node as { locals?: Map<string, unknown> }).locals
    if (locals?.has(use.text)) return true
    if (ts.isFunctionLike(node) && node.parameters.some((p) => namesIn(p.name).includes(use.text))) return true
    if (ts.isBlock(node)) {
      const declared = node.statements.filter(ts.isVariableStatement).flatMap((s) => s.declarationList.declarations)
      if (declared.some((d) => namesIn(d.name).includes(use.text))) return true
    }
    if (ts.isForOfStatement(node) || ts.isForStatement(node) || ts.isForInStatement(node)) {
      const { initializer } = node
      if (initializer && ts.isVariableDeclarationList(initializer)) {
        if (initializer.declarations.some((d) => namesIn(d.name).includes(use.text))) return true
      }
    }
  }
  return false
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []))
}

function unwrap(expression: ts.Expression): ts.Expression {
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  ) {
    // `as const` forbids a change already in the types, but a literal is cheap to watch all the same
    return unwrap(expression.expression)
  }
  return expression
}

function isDeclared(node: ts.Node): boolean {
  return has(node, ts.SyntaxKind.DeclareKeyword)
}

function has(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some((modifier) => modifier.kind === kind)
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}
