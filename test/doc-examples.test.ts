import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

interface Example {
  at: string
  code: string
}

/** Returns the examples in the doc comments of a file, without the asterisks. */
function examplesIn(file: string, text: string): Example[] {
  return [...text.matchAll(/^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\//gm)].flatMap((comment) => {
    const lines = comment[0].replace(/\s*\*\/$/, '').split('\n')
    const tags = lines.map((line) => line.replace(/^[ \t]*(\/\*\*|\*) ?/, ''))
    const starts = tags.flatMap((tag, index) => (tag.startsWith('@example') ? [index] : []))
    const first = text.slice(0, comment.index).split('\n').length
    return starts.map((start) => {
      const next = tags.findIndex((tag, index) => index > start && /^@\w+(\s|$)/.test(tag))
      const code = tags.slice(start, next === -1 ? undefined : next).join('\n')
      return { at: `${file}:${first + start}`, code: code.slice('@example'.length) }
    })
  })
}

/** Returns the first reason why an example is not TypeScript or JSX that an app can contain, or undefined. */
function problemOf({ code }: Example): string | undefined {
  const wrapped = `async () => {\n${code}\n}`
  const file = ts.createSourceFile('example.tsx', wrapped, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX)
  const [problem] = (file as unknown as { parseDiagnostics: readonly ts.Diagnostic[] }).parseDiagnostics
  return problem && ts.flattenDiagnosticMessageText(problem.messageText, ' ')
}

const files = globSync('packages/*/src/**/*.{ts,tsx}').filter((file) => !/\.(test|stories)\./.test(file))
const examples = files.flatMap((file) => examplesIn(file, readFileSync(file, 'utf8')))

test('every example of a doc comment is valid code, with its line breaks', () => {
  expect(examples.length).toBeGreaterThan(200)
  const problems = examples.flatMap((example) => {
    const problem = problemOf(example)
    return problem ? [`${example.at}: ${problem}`] : []
  })
  expect(problems).toEqual([])
})

test('an example that was wrapped like prose is found', () => {
  const text = '/**\n * Runs.\n *\n * @example const a = run() await a.stop()\n */\n'
  expect(examplesIn('a.ts', text).map(problemOf)).toEqual(["',' expected."])
})
