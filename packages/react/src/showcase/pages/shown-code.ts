/** The parts of a story that "Show code" needs. */
interface Story {
  readonly args: Readonly<Record<string, unknown>>
  readonly title: string
}

/** Hides props that only stories need: state comes from the session in an application. */
const OF_STORIES = ['interaction', 'interactive', 'mayAnswer', 'connection', 'callStatus', 'onRespond']

/** The lines that an application writes for what a story shows. The question comes from the session. */
export function shownCode(code: string, { args, title }: Story): string {
  if (!('interaction' in args)) return code
  const name = title.split('/').at(-1) ?? ''
  const props = Object.entries(args).flatMap(([key, value]) =>
    OF_STORIES.includes(key) || value === undefined ? [] : [` ${key}=${written(value)}`],
  )
  return `const interaction = useInteraction(interactionId)

<${name} interaction={interaction}${props.join('')} />`
}

function written(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'function' ? '{…}' : `{${JSON.stringify(value)}}`
}
