import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runnableBlocks } from '../../../scripts/check-docs.ts'

const NAME = /^\/\/ ([\w./-]+\.tsx?)\n/
const LEFT_TO_READER = /^declare (?:async )?(?:function|const|let) (\w+)/gm

/** The code of a guide by the file name in its first line. */
export function filesOf(document: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const { code } of runnableBlocks(document, readFileSync(resolve(document), 'utf8'))) {
    const name = NAME.exec(code)?.[1]
    if (name) files.set(name, withGiven(code))
  }
  // Bundlers find a file by its name alone. Node needs the extension.
  const withExtension = (found: string, name: string) =>
    [...files.keys()].includes(`${name}.ts`) ? `from './${name}.ts'` : found
  for (const [name, code] of files) files.set(name, code.replaceAll(/from '\.\/([\w-]+)'/g, withExtension))
  return files
}

/** Hosts that exist in a reader's deployment only: `given.ts` stands for the network. */
const HOSTS = /(?:webhookHosts|agentHosts): \[[^\]]*\],/g

/** Messages wait for minutes and for the end of quiet hours: `given.ts` has a clock that the test moves. */
const WAITS = /createHoldpoint\(\{ (?=store\b[\s\S]*addSurfaces\()/

/** Push services are outside of the test. */
const PUSHES = 'webPushSurface({ vapid })'

/** Takes from `given.ts` what the guide declares and leaves to the reader; listens where the test says. */
function withGiven(code: string): string {
  const declared = [...code.matchAll(LEFT_TO_READER)].map(([, name]) => name)
  const names = [...declared, ...(code.search(HOSTS) >= 0 ? ['overTheNetwork'] : [])]
  if (WAITS.test(code)) names.push('environment')
  if (code.includes(PUSHES)) names.push('toBrowsers')
  const rest = code
    .replaceAll(/^declare (?:async )?function [^\n]*\n/gm, '')
    .replaceAll(/^declare const \w+: \{\n[\s\S]*?^\}\n/gm, '')
    .replaceAll(/^declare (?:const|let) [^\n]*\n/gm, '')
    .replaceAll('.listen(3000)', ".listen(Number(process.env.PORT), '127.0.0.1')")
    .replaceAll('port: 3000', 'port: Number(process.env.PORT)')
    .replaceAll(/'http:\/\/localhost:3000([^']*)'/g, `\`http://127.0.0.1:\${process.env.PORT}$1\``)
    .replace(WAITS, '$&environment, ')
    .replaceAll(PUSHES, 'webPushSurface({ vapid, fetch: toBrowsers })')
    .replaceAll(HOSTS, '$& fetch: overTheNetwork,')
    // The platform's own: it works within a request of Next.js only.
    .replaceAll("import { after } from 'next/server'", "import { after } from './given.ts'")
  return names.length === 0 ? rest : `import { ${names.join(', ')} } from './given.ts'\n${rest}`
}
