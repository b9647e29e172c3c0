import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { SOURCE, sources } from './published.ts'
import type { Ran } from './run.ts'

/** Writes docs/api from the doc comments: a page for each import path. */
const PACKAGES = ['core', 'react', 'server']
const FOLDER = 'docs/api'

interface Entry {
  path: string
  file: string
}

function entries(): Entry[] {
  return PACKAGES.flatMap((name) =>
    Object.entries(sources(`packages/${name}`))
      .filter(([, file]) => /\.tsx?$/.test(file))
      .map(([path, file]) => ({ path: `@holdpoint/${name}${path.slice(1)}`, file: resolve(`packages/${name}`, file) })),
  )
}

/** Page name → Markdown. */
export function apiReference(): Map<string, string> {
  const all = entries()
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  const program = ts.createProgram(
    all.map(({ file }) => file),
    { ...options, noEmit: true, customConditions: [SOURCE] },
  )
  const checker = program.getTypeChecker()
  const exportsOf = ({ file }: Entry) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    return module ? checker.getExportsOfModule(module) : []
  }
  const schemas = { checker, names: namesOf(checker, all.flatMap(exportsOf)) }
  const pages = new Map<string, string>()
  for (const entry of all) {
    const { path } = entry
    const parts = exportsOf(entry)
      .map((symbol) => ({ name: symbol.name, symbol: aliased(checker, symbol) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, symbol }) => section(schemas, name, symbol))
    pages.set(pageOf(path), [`# \`${path}\``, '', ...parts].join('\n').trimEnd().concat('\n'))
  }
  const list = all.map(({ path }) => `- [\`${path}\`](${pageOf(path)})`)
  const intro = 'Written from the doc comments by `pnpm api`: a page for each import path.'
  pages.set('README.md', ['# API reference', '', intro, '', ...list, ''].join('\n'))
  return pages
}

const pageOf = (path: string) => `${path.replace('@holdpoint/', '').replaceAll('/', '-')}.md`

function aliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function section(schemas: Schemas, name: string, symbol: ts.Symbol): string {
  const { checker } = schemas
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  const examples = symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === 'example')
    .map((tag) => fenced(ts.displayPartsToString(tag.text).trim()))
  const declared = (symbol.declarations ?? []).map((one) => declaration(schemas, name, symbol, one)).filter(Boolean)
  return [`## ${name}`, '', ...(text ? [text, ''] : []), '```ts', ...new Set(declared), '```', '', ...examples].join(
    '\n',
  )
}

const fenced = (example: string) => (example.includes('```') ? `${example}\n` : `\`\`\`ts\n${example}\n\`\`\`\n`)

/** What somebody needs to know to use it: types as they are written, functions and values without what is inside. */
function declaration(schemas: Schemas, name: string, symbol: ts.Symbol, node: ts.Declaration): string {
  const { checker } = schemas
  if (isInferred(node))
    return `type ${name} = ${writtenOut(schemas, checker.getTypeAtLocation(node.type))}`.replace('= \n', '=\n')
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
    return node.getText().replace(/^export (declare )?/, '')
  }
  if (ts.isFunctionDeclaration(node)) {
    const overloaded = (symbol.declarations ?? []).length > 1
    if (overloaded && node.body) return ''
    const end = node.body ? node.body.getStart() : node.getEnd()
    return node
      .getSourceFile()
      .text.slice(node.getStart(), end)
      .trim()
      .replace(/^export (default )?(async )?/, '')
  }
  if (ts.isClassDeclaration(node)) {
    const members = checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
      .filter((member) => member.declarations?.some((one) => one.getSourceFile() === node.getSourceFile()))
      .map((member) => `  ${member.name}: ${checker.typeToString(checker.getTypeOfSymbol(member))}`)
    const heritage = (node.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('')
    return [`class ${name}${heritage} {`, ...members, '}'].join('\n')
  }
  const flags = ts.TypeFormatFlags.NoTruncation
  const type = checker.typeToString(checker.getTypeOfSymbolAtLocation(symbol, node), undefined, flags)
  return `const ${name}: ${type.length > 1_500 ? `${type.slice(0, 1_500)}…` : type}`
}

/** What a schema stands for, written out: `z.infer<typeof inputField>` tells nobody which fields there are. */
function writtenOut(schemas: Schemas, type: ts.Type, indent = ''): string {
  const { checker, names } = schemas
  const text = textOf(checker, type)
  const name = indent === '' ? undefined : names.get(text)
  if (name) return name
  if (type.isUnion() && !type.types.every(isPlain)) {
    return type.types.map((one) => `\n${indent}  | ${writtenOut(schemas, one, `${indent}    `)}`).join('')
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference)
    const each = element ? writtenOut(schemas, element, `${indent} `) : 'unknown'
    return each.includes('|') ? `(${each})[]` : `${each}[]`
  }
  const properties = checker.getPropertiesOfType(type)
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || properties.length === 0) return text
  const inner = `${indent}  `
  const lines = properties.map((property) => {
    const optional = property.flags & ts.SymbolFlags.Optional ? '?' : ''
    const its = checker.getTypeOfSymbol(property)
    return `${inner}${property.name}${optional}: ${writtenOut(schemas, optional && !(its.flags & ts.TypeFlags.Unknown) ? checker.getNonNullableType(its) : its, inner)}`
  })
  return ['{', ...lines, `${indent}}`].join('\n')
}

interface Schemas {
  checker: ts.TypeChecker
  /** What is exported under a name of its own, by its text. */
  names: ReadonlyMap<string, string>
}

const isInferred = (node: ts.Declaration): node is ts.TypeAliasDeclaration =>
  ts.isTypeAliasDeclaration(node) && /\binfer<typeof /.test(node.type.getText())

const isPlain = (type: ts.Type) => !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))

const textOf = (checker: ts.TypeChecker, type: ts.Type) =>
  checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)

function namesOf(checker: ts.TypeChecker, symbols: readonly ts.Symbol[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const symbol of symbols.map((one) => aliased(checker, one))) {
    const node = symbol.declarations?.find(isInferred)
    const type = node && checker.getTypeAtLocation(node.type)
    if (type && (!isPlain(type) || type.isUnion())) names.set(textOf(checker, type), symbol.name)
  }
  return names
}

/** Are the pages what the doc comments say? */
export async function checkApiReference(): Promise<Ran> {
  const pages = apiReference()
  const there = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  const stale = [...pages].filter(([page, text]) => !there.includes(page) || read(page) !== text).map(([page]) => page)
  const gone = there.filter((page) => !pages.has(page))
  const output = [...stale, ...gone].map((page) => `${FOLDER}/${page}`).join('\n')
  return { ok: output === '', output: `${output}\nnot what the doc comments say: run \`npx -y pnpm@12 api\`` }
}

const read = (page: string) => readFileSync(join(FOLDER, page), 'utf8')

if (import.meta.main) {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const pages = apiReference()
  for (const [page, text] of pages) writeFileSync(join(FOLDER, page), text)
  console.log(`${pages.size} pages in ${FOLDER}`)
}
