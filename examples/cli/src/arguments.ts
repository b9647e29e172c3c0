import { parseArgs } from 'node:util'
import { UsageError } from './exit-codes.ts'

export const usage = `errand: an agent on the command line

  errand connect <service>        sign in with a service, or add one    (--device: on another device)
  errand status                   what is connected
  errand disconnect <service>
  errand ask <text>               one question                          (--confirm: show before doing it)
  errand ask --chat               a conversation, line by line
  errand confirm <token>          answer what "ask --confirm" left open (--yes or --no)
  errand logout

  --server <url>   where the agent is; or HOLDPOINT_SERVER; http://localhost:3000/holdpoint unless given
  --json           one JSON object a line on stdout, and no questions
  --no-browser     show the address, open nothing

Ends with 0 done, 1 failed, 2 wrong usage, 3 not signed in, 4 refused, 5 to be confirmed, 6 not reachable, 130 Ctrl-C.`

const names = ['connect', 'status', 'disconnect', 'ask', 'confirm', 'logout', 'help'] as const
export type CommandName = (typeof names)[number]

export interface Arguments {
  command: CommandName
  /** A service, a token, or what is asked. */
  subject: string
  server: string
  json: boolean
  browser: boolean
  device: boolean
  confirm: boolean
  chat: boolean
  /** `--yes`, `--no`, or neither. */
  answer: boolean | undefined
}

const options = {
  server: { type: 'string' },
  json: { type: 'boolean' },
  'no-browser': { type: 'boolean' },
  device: { type: 'boolean' },
  confirm: { type: 'boolean' },
  chat: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  no: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const needsSubject: Partial<Record<CommandName, string>> = {
  connect: 'a service, as in: errand connect slack',
  disconnect: 'a service, as in: errand disconnect slack',
  ask: 'what to ask, as in: errand ask "What is connected?"',
  confirm: 'the token that "errand ask --confirm" printed',
}

/** Returns the parsed arguments, or throws a `UsageError` with the problem. */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const { values, positionals } = parse(argv)
  const [name = 'help', ...rest] = positionals
  const command = names.find((one) => one === name)
  if (values.help) return { ...base(values, env), command: 'help', subject: '' }
  if (!command) throw new UsageError(`There is no command "${name}".`)
  const subject = rest.join(' ').trim()
  const missing = needsSubject[command]
  if (missing && !subject && !(command === 'ask' && values.chat)) throw new UsageError(`${command} needs ${missing}`)
  if (!missing && subject) throw new UsageError(`${command} takes nothing more.`)
  if (values.yes && values.no) throw new UsageError('--yes and --no contradict each other.')
  return { ...base(values, env), command, subject }
}

type Values = ReturnType<typeof parse>['values']

function base(values: Values, env: NodeJS.ProcessEnv): Omit<Arguments, 'command' | 'subject'> {
  const server = values.server ?? env.HOLDPOINT_SERVER ?? 'http://localhost:3000/holdpoint'
  if (!URL.canParse(server)) throw new UsageError(`--server "${server}" is no URL.`)
  return {
    server,
    json: values.json ?? false,
    browser: !values['no-browser'],
    device: values.device ?? false,
    confirm: values.confirm ?? false,
    chat: values.chat ?? false,
    answer: values.yes ? true : values.no ? false : undefined,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
