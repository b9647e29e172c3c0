import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { sources } from '../../scripts/published.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const PUBLISHED = ['core', 'react', 'server'] as const

export interface Import {
  /** The file that imports, from the root. */
  from: string
  line: number
  specifier: string
  /** Erased by the compiler: no code at run time, but still a dependency. */
  typeOnly: boolean
}

/** The sources of a package; without its tests and stories unless asked for. */
export function sourceFiles(pattern = 'packages/*/src', { tests = false } = {}): string[] {
  const files = globSync(`${pattern}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: (name) => name.includes('node_modules') })
  return files.filter((file) => tests || !/\.(test|stories|bench)\.tsx?$|\/test\//.test(file)).sort()
}

export function parse(file: string, text = readFileSync(join(ROOT, file), 'utf8')): ts.SourceFile {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind)
}

export function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
}

/** Everything that a file imports: statically, by re-export, by `import()`, and as a type. */
export function importsOf(file: string, tree = parse(file)): Import[] {
  const found: Import[] = []
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier)) {
      found.push({ from: file, line: lineOf(node), specifier: specifier.text, typeOnly })
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeOnlyImport(node.importClause))
    else if (ts.isExportDeclaration(node))
      add(node, node.moduleSpecifier, node.isTypeOnly || hasOnlyTypes(node.exportClause))
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node, node.argument.literal, true)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** `import { type A }` keeps the import itself under verbatimModuleSyntax; `import type` does not. */
function isTypeOnlyImport(clause: ts.ImportClause | undefined): boolean {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword
}

function hasOnlyTypes(clause: ts.NamedExportBindings | undefined): boolean {
  return (
    !!clause && ts.isNamedExports(clause) && clause.elements.length > 0 && clause.elements.every((e) => e.isTypeOnly)
  )
}

/** `{ '@holdpoint/core/wire': 'packages/core/src/wire/index.ts', … }`: the doors of every package. */
export function doors(): Record<string, string> {
  return Object.fromEntries(
    [...PUBLISHED, 'conformance'].flatMap((name) => {
      const dir = join(ROOT, 'packages', name)
      const { exports } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as {
        exports: Record<string, unknown>
      }
      const plain = Object.entries(exports).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      const all = { ...Object.fromEntries(plain), ...sources(dir) }
      return Object.entries(all).map(([path, file]) => [join('@holdpoint', name, path), join('packages', name, file)])
    }),
  )
}

/** The file of the workspace that an import leads to, or undefined for a package from outside. */
export function target(imported: Import, byDoor = doors()): string | undefined {
  if (!imported.specifier.startsWith('.')) return byDoor[imported.specifier]
  const path = relative(ROOT, resolve(ROOT, dirname(imported.from), imported.specifier))
  const candidates = [
    path,
    path.replace(/\.jsx?$/, '.ts'),
    path.replace(/\.jsx?$/, '.tsx'),
    `${path}.ts`,
    `${path}/index.ts`,
  ]
  return candidates.find((file) => /\.\w+$/.test(file) && existsSync(join(ROOT, file)))
}

/** The imports of files that were read before: the entries of a package reach mostly the same files. */
const known = new Map<string, readonly Import[]>()

function importsAtRunTime(file: string): readonly Import[] {
  const imports = known.get(file) ?? importsOf(file).filter((one) => !one.typeOnly)
  known.set(file, imports)
  return imports
}

/** Returns what an entry reaches at run time: files of the workspace, and the imports that leave it. */
export function reach(entry: string): { files: Set<string>; outside: Import[] } {
  const byDoor = doors()
  const files = new Set<string>()
  const outside: Import[] = []
  const queue = [entry]
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (files.has(file)) continue
    files.add(file)
    if (!/\.tsx?$/.test(file)) continue
    for (const imported of importsAtRunTime(file)) {
      const next = target(imported, byDoor)
      if (next) queue.push(next)
      else outside.push(imported)
    }
  }
  return { files, outside }
}

/** `file:line imports x`, to be read in a failed assertion. */
export function say({ from, line, specifier }: Import): string {
  return `${from}:${line} imports ${specifier}`
}

/** The names that a file uses as values and does not declare itself: mostly globals. */
export function freeNames(file: string, tree = parse(file)): { name: string; line: number }[] {
  const declared = new Set<string>()
  const used: { name: string; line: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node)) {
      const { parent } = node
      const isProperty =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node) ||
        ts.isPropertySignature(parent) ||
        ts.isMethodDeclaration(parent) ||
        ts.isMethodSignature(parent) ||
        (ts.isPropertyDeclaration(parent) && parent.name === node)
      const isDeclaration = 'name' in parent && parent.name === node && !isProperty
      if (isDeclaration) declared.add(node.text)
      else if (!isProperty) used.push({ name: node.text, line: lineOf(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return used.filter(({ name }) => !declared.has(name))
}
