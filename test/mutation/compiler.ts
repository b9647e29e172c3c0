import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * The compiler may notice what no test does: a value that is used without its guard. It stays warm, and checks the one
 * file that changed.
 */
export function createCompiler(root: string): { compiles(file: string): boolean } {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: ['vitest.config.ts'] },
    ts.sys,
    root,
  )
  const looked = new Set<string>()
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    getScriptFileNames: () => [...looked],
    // Only the checked files change.
    getScriptVersion: (file) => (looked.has(file) ? (ts.sys.getModifiedTime?.(file)?.toISOString() ?? '') : '1'),
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
  })
  return {
    compiles(file) {
      const path = join(root, file)
      looked.add(path)
      return service.getSyntacticDiagnostics(path).length + service.getSemanticDiagnostics(path).length === 0
    },
  }
}
