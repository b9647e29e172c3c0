/** A command-line tool as an author writes it. `--print <file>` prints a file and fails, as `cat … && false` would. */
import { readFileSync } from 'node:fs'
import { reportAuthRequired, requireToken } from '../../src/node/index.ts'

const [mode = 'post', file = ''] = process.argv.slice(2)
if (mode === '--print') {
  process.stdout.write(readFileSync(file, 'utf8'))
  process.exit(1)
}
if (mode === '--progress') {
  process.stdout.write('{"progress":1}\nworking\n')
  setTimeout(() => process.exit(0), 50)
} else {
  const token = requireToken('slack', { message: 'Slack is needed to post' })
  if (token === 'revoked') reportAuthRequired('slack', { message: 'Slack rejected the token' })
  process.stdout.write(`posted as ${token.length} ${token.startsWith('xoxb') ? 'bot' : 'nobody'}\n`)
}
