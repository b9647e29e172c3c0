/** A command-line tool as an author writes it: `slack-tool <url> <text>`. `--deaf` looks at no variable. */
import { reportAuthRequired, requireToken } from '@holdpoint/core/node'

const [url, text, mode] = process.argv.slice(2)
if (mode === '--deaf') reportAuthRequired('slack', { message: 'I know of no token' })
if (mode === '--print') {
  // As `cat notes.json` would do with a file that contains the JSON.
  process.stdout.write(`${text}\n`)
  process.exit(0)
}
const token = requireToken('slack', { message: 'Slack is needed to post' })
const response = await fetch(`${url}/api/chat.postMessage`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ channel: '#general', text }),
})
if (response.status === 401) reportAuthRequired('slack', { message: 'Slack refused the token' })
process.stdout.write(`posted ${response.status}\n`)
