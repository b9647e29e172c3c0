import { resolve } from 'node:path'
import {
  Application,
  Comment,
  type Context,
  Converter,
  DeclarationReflection,
  type DocumentationEntryPoint,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
} from 'typedoc'
import ts from 'typescript'
import { SOURCE, sources } from './published.ts'

const PACKAGES = ['core', 'react', 'server']
/** Where the reference shows the types that exports mention and that no import path names. */
const NAMELESS = '<internal>'
const INFERRED = /\binfer<typeof /

/** The exports of one import path. */
export interface Entry {
  path: string
  exports: { name: string; isDocumented: boolean; id: number }[]
}

export interface Api {
  app: Application
  project: ProjectReflection
  entries: Entry[]
}

/** Import path → source file, of everything that is published for apps: not what the packages share with each other. */
export function publishedEntries(): Map<string, string> {
  const all = PACKAGES.flatMap((name) =>
    Object.entries(sources(`packages/${name}`))
      .filter(([path, file]) => /\.tsx?$/.test(file) && !path.startsWith('./internal'))
      .map(([path, file]): [string, string] => [
        `@holdpoint/${name}${path.slice(1)}`,
        resolve(`packages/${name}`, file),
      ]),
  )
  return new Map(all)
}

/** Reads the exports and doc comments of these entries with TypeDoc. */
export async function readApi(files: ReadonlyMap<string, string>): Promise<Api> {
  const app = await Application.bootstrap({
    name: 'Holdpoint',
    readme: 'none',
    disableGit: true,
    sourceLinkTemplate: 'https://github.com/holdpoint/holdpoint/blob/main/{path}#L{line}',
    excludeExternals: true,
    logLevel: 'Error',
    plugin: ['typedoc-plugin-missing-exports'],
  })
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, writeOutSchema)
  const project = app.converter.convert(entryPoints(files))
  const modules = project.isDeclaration() ? [project] : (project.children ?? [])
  const entries = modules.map((module) => ({
    path: module.name,
    exports: (module.children ?? []).filter(isExport).map((child) => {
      const real = child.isReference() ? child.getTargetReflectionDeep() : child
      return { name: child.name, isDocumented: isDocumented(real), id: real.id }
    }),
  }))
  return { app, project, entries }
}

const isExport = ({ kind, name }: Reflection) => !(kind === ReflectionKind.Module && name === NAMELESS)

function entryPoints(files: ReadonlyMap<string, string>): DocumentationEntryPoint[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  const program = ts.createProgram([...files.values()], { ...options, noEmit: true, customConditions: [SOURCE] })
  return [...files].map(([displayName, file]) => {
    const sourceFile = program.getSourceFile(file)
    if (!sourceFile) throw new Error(`${file} is not part of the program`)
    return { displayName, program, sourceFile }
  })
}

/** Shows the fields of a type that comes from a schema: `z.infer<typeof inputField>` does not tell which there are. */
function writeOutSchema(context: Context, reflection: DeclarationReflection): void {
  if (!reflection.kindOf(ReflectionKind.TypeAlias)) return
  const declarations = context.getSymbolFromReflection(reflection)?.declarations ?? []
  if (!declarations.some((one) => ts.isTypeAliasDeclaration(one) && INFERRED.test(one.type.getText()))) return
  reflection.comment ??= new Comment()
  reflection.comment.modifierTags.add('@useDeclaredType')
}

/** A function carries its comment at its signatures, also a function type and a constant that holds a function. */
function isDocumented(reflection: Reflection): boolean {
  if (reflection.hasComment()) return true
  if (!(reflection instanceof DeclarationReflection)) return false
  const { type } = reflection
  const inner = type?.type === 'reflection' ? (type.declaration.signatures ?? []) : []
  return [...(reflection.signatures ?? []), ...inner].some((signature) => signature.hasComment())
}
