import { readFile } from 'node:fs/promises'
import { transformAsync } from '@babel/core'
import type { Plugin } from 'esbuild'

/** The result of the compiler for one function. */
export interface Verdict {
  kind: string
  file: string
  detail: string
}

interface LoggerEvent {
  kind: string
  fnName?: string | null
  detail?: { reason?: string; options?: { reason?: string } } | string
}

/** React Compiler over everything that is bundled and is ours, as an application's build runs it. */
export function reactCompiler(react: 18 | 19, verdicts: Verdict[] = []): Plugin {
  return {
    name: 'react-compiler',
    setup(build) {
      build.onLoad({ filter: /packages\/(react|core)\/src\/.*\.tsx?$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const logger = {
          logEvent(file: string | null, event: LoggerEvent) {
            verdicts.push({
              kind: event.kind,
              file: file ?? path,
              detail: JSON.stringify(event.detail ?? event.fnName),
            })
          },
        }
        const compiled = await transformAsync(source, {
          filename: path,
          babelrc: false,
          configFile: false,
          parserOpts: { plugins: ['typescript', ...(path.endsWith('x') ? (['jsx'] as const) : [])] },
          plugins: [['babel-plugin-react-compiler', { target: String(react), logger }]],
        })
        return { contents: compiled?.code ?? source, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}
