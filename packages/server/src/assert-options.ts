import { HoldpointError } from '@holdpoint/core'
import { limits } from '@holdpoint/core/protocol'
import type { HookOptions, NameOptions, RetentionOptions, TimingOptions } from './engine/api/options.ts'
import { defaultTuning, type HttpTuning } from './http/routing/options.ts'
import type { HoldpointOptions, HttpServerOptions, SecurityOptions } from './options.ts'

/** Each key of a type, so that the compiler reports an option that is missing here. */
type Keys<T> = { readonly [K in keyof Required<T>]: true }

const TOP: Keys<HoldpointOptions> = {
  ...{ store: true, authenticate: true, accounts: true, userActions: true, logger: true, name: true, waiting: true },
  ...{ waitUntil: true, timing: true, http: true, limits: true, retention: true, hooks: true, security: true },
  ...{ environment: true, names: true },
}
const TIMING: Keys<TimingOptions> = {
  ...{ presenceGraceMs: true, presenceMs: true, leaseMs: true, orphanAfterMs: true, maxDurationMs: true },
}
const HTTP: Keys<Omit<HttpServerOptions, keyof HttpTuning>> = { mountPath: true, routes: true }
/** Not one of the groups below: an unknown option `tools` is hardly meant as the names of tools. */
const NAMES: Keys<NameOptions> = { tools: true, integrations: true }
const RETENTION: Keys<RetentionOptions> = { endedMs: true, events: true }
const HOOKS: Keys<HookOptions> = {
  ...{
    onToolResult: true,
    onFollowUp: true,
    onAsked: true,
    onSettled: true,
    remindAfterMs: true,
    onUserActions: true,
    onEvent: true,
  },
  ...{ questionUrl: true, traceparent: true, deliveries: true },
}
const SECURITY: Keys<SecurityOptions> = {
  ...{ authorize: true, authorizeToolSetting: true, allowedOrigins: true, allowedHosts: true, vaultKeys: true },
}

/** The option groups, in the order in which they are searched for an option that the caller put in the wrong group. */
const GROUPS = {
  hooks: Object.keys(HOOKS),
  security: Object.keys(SECURITY),
  timing: Object.keys(TIMING),
  http: [...Object.keys(HTTP), ...Object.keys(defaultTuning)],
  retention: Object.keys(RETENTION),
  limits: Object.keys(limits),
} satisfies Partial<Record<keyof HoldpointOptions, string[]>>

const TOP_NAMES = Object.keys(TOP)

/** Throws for an unknown option. For an option in the wrong group, the message names the right group. */
export function assertOptions(options: HoldpointOptions): void {
  for (const key of Object.keys(options)) if (!TOP_NAMES.includes(key)) throw misplaced(key, key, TOP_NAMES)
  for (const [group, names] of Object.entries(GROUPS)) {
    const given: unknown = options[group as keyof HoldpointOptions]
    if (given === undefined) continue
    if (typeof given !== 'object' || given === null) throw invalid(`"${group}" must be an object`)
    for (const key of Object.keys(given)) if (!names.includes(key)) throw misplaced(key, `${group}.${key}`, names)
  }
  assertValues(options)
  if (options.hooks?.onUserActions && !options.userActions) {
    throw invalid(
      '"hooks.onUserActions" needs "userActions". List the actions that you accept in userActions; any other action is rejected',
    )
  }
}

/** Throws for values that no compiler has checked, and that would otherwise fail later or be ignored. */
function assertValues({ store, authenticate, timing, security, names }: HoldpointOptions): void {
  if (store !== undefined && typeof (store as Partial<typeof store> | null)?.load !== 'function') {
    throw invalid(`"store" must be a store such as sqliteStore({ path }), got ${kindOf(store)}`)
  }
  if (authenticate !== undefined && typeof authenticate !== 'function') {
    throw invalid(`"authenticate" must be a function that returns { userId } or null, got ${kindOf(authenticate)}`)
  }
  for (const [key, value] of Object.entries(timing ?? {})) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue
    throw invalid(`"timing.${key}" must be a number of milliseconds, got ${shown(value)}`)
  }
  assertDisplayNames(names)
  assertNames('allowedOrigins', security?.allowedOrigins, isOrigin, 'https://app.example.com')
  const hosts = security?.allowedHosts
  if (typeof hosts !== 'string') assertNames('allowedHosts', hosts, isHost, 'app.example.com')
  else if (hosts !== 'any' && hosts !== 'local')
    throw invalid(`"security.allowedHosts" must be a list, got ${shown(hosts)}`)
}

function assertDisplayNames(names: NameOptions = {}): void {
  for (const [key, values] of Object.entries<NameOptions['tools']>(names as Record<string, NameOptions['tools']>)) {
    if (!Object.hasOwn(NAMES, key)) throw unknown(`names.${key}`, Object.keys(NAMES))
    for (const [id, value] of Object.entries(values ?? {})) {
      if (typeof value?.name === 'string' && value.name.trim()) continue
      throw invalid(`"names.${key}.${id}" must be an object such as { name: 'Post to Slack' }, got ${shown(value)}`)
    }
  }
}

function assertNames(
  key: string,
  names: readonly string[] | undefined,
  isName: (name: string) => boolean,
  example: string,
): void {
  if (names === undefined) return
  if (!Array.isArray(names))
    throw invalid(`"security.${key}" must be a list such as ['${example}'], got ${shown(names)}`)
  const wrong = names.find((name) => typeof name !== 'string' || !isName(name))
  if (wrong !== undefined) {
    throw invalid(`"security.${key}" contains ${shown(wrong)}, which matches no request. Write it like '${example}'`)
  }
}

/** True if a browser sends this as `Origin`: scheme, host and port, without a path. Other schemes than http are possible. */
function isOrigin(name: string): boolean {
  if (name === 'null') return true
  if (!/^https?:/i.test(name)) return /^[a-z][a-z\d+.-]*:\/\/[^/?#]+$/.test(name)
  return URL.canParse(name) && new URL(name).origin === name
}

/** True for the name of a host without scheme, port and path. */
const isHost = (name: string) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name

/** The kind of a value that may contain a secret: an address of a database contains its password. */
const kindOf = (value: unknown) => (value === null ? 'null' : `a value of type ${typeof value}`)

const shown = (value: unknown) => JSON.stringify(value) ?? String(value)

function misplaced(key: string, given: string, expected: readonly string[]): HoldpointError {
  if (TOP_NAMES.includes(key))
    return invalid(`"${given}" is in the wrong place. Pass it as ${key}, outside of any group`)
  const home = Object.entries(GROUPS).find(([, names]) => names.includes(key))?.[0]
  if (home) return invalid(`"${given}" is in the wrong place. Pass it as ${home}: { ${key} }`)
  return unknown(given, expected)
}

const unknown = (given: string, expected: readonly string[]) =>
  invalid(`"${given}" is not an option. The options here are ${expected.join(', ')}`)

const invalid = (why: string) => new HoldpointError('invalid_options', `createHoldpoint: ${why}.`)
