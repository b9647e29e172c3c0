import { humanize } from './humanize.ts'
import { isRange } from './is-range.ts'
import { unsupported } from './unsupported.ts'

type Schema = Readonly<Record<string, unknown>>

/** A form with deeper groups cannot be filled in by a person. */
const MAX_DEPTH = 4
/** Keywords of a group that do not change which answers are valid. */
const GROUP = ['type', 'properties', 'required', 'additionalProperties', 'title', 'description', '$comment', '$schema']

/** A flat schema, and the function that nests its answers again. */
export interface FlatSchema {
  schema: Schema
  /** Puts the values of a flat answer where the original schema has them. */
  nest(input: Readonly<Record<string, unknown>>): Record<string, unknown>
}

interface Leaf {
  path: readonly string[]
  property: Schema
  required: boolean
}

/**
 * Converts a schema of another program to a flat one: `null` values of keywords are dropped, nullable types become
 * optional ones, local references are resolved, and the members of nested objects become fields named `group.member`.
 * Rejects, by keyword and path, what no form can show.
 */
export function flattenSchema(schema: unknown): FlatSchema {
  const root = withoutNulls(schema)
  if (!isObject(root)) throw unsupported('type', '', 'a form starts with an object of properties')
  const { $defs, definitions, ...own } = root
  const leaves = leavesOf(own, root, [], [], true)
  const properties = Object.fromEntries(leaves.map(({ path, property }) => [path.join('.'), property]))
  if (Object.keys(properties).length < leaves.length) {
    throw unsupported('properties', '', 'two of its members would get the same name')
  }
  const required = leaves.filter((leaf) => leaf.required).map(({ path }) => path.join('.'))
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    nest: (input) => nested(leaves, input),
  }
}

function leavesOf(
  group: Schema,
  root: Schema,
  path: readonly string[],
  titles: readonly string[],
  required: boolean,
): Leaf[] {
  const at = path.map((name) => `properties.${name}`).join('.')
  if (path.length > MAX_DEPTH) throw unsupported('properties', at, `more than ${MAX_DEPTH} levels cannot be a form`)
  const odd = Object.keys(group).find((key) => !GROUP.includes(key) && !key.startsWith('x-'))
  if (odd) throw unsupported(odd, at, 'no control of a form can hold it; use a flat property without it')
  if (group.type !== 'object') throw unsupported('type', at, 'it must be "object", with one property for each field')
  if (isObject(group.additionalProperties) && Object.keys(group.additionalProperties).length > 0) {
    throw unsupported('additionalProperties', at, 'a form cannot have unnamed fields')
  }
  const properties = group.properties ?? {}
  if (!isObject(properties)) throw unsupported('properties', at, 'it must be an object')
  const needed = group.required ?? []
  if (!Array.isArray(needed)) throw unsupported('required', at, 'it must be a list of property names')
  const missing = needed.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))
  if (missing !== undefined) throw unsupported('required', at, `it names "${missing}", which is not a property`)
  if (!required && needed.length > 0) {
    throw unsupported('required', at, 'members of an optional group cannot be required; make the group required')
  }
  return Object.entries(properties).flatMap(([name, given]): Leaf[] => {
    const inner = [...path, name]
    const { property, nullable } = resolved(given, root, inner)
    const isNeeded = needed.includes(name) && !nullable
    const title = typeof property.title === 'string' ? property.title : humanize(name)
    if (property.properties !== undefined && !isRange(property)) {
      return leavesOf(property, root, inner, [...titles, title], isNeeded)
    }
    const labelled = titles.length > 0 ? { ...property, title: [...titles, title].join(': ') } : property
    return [{ path: inner, property: labelled, required: isNeeded }]
  })
}

/** Follows local references and unwraps what may also be `null`. */
function resolved(given: unknown, root: Schema, path: readonly string[]): { property: Schema; nullable: boolean } {
  const at = path.map((name) => `properties.${name}`).join('.')
  let property = given
  let nullable = false
  for (let steps = 0; steps <= MAX_DEPTH; steps++) {
    if (!isObject(property)) throw unsupported('type', at, 'it must be an object')
    const { $ref, ...rest } = property
    if (typeof $ref === 'string') {
      property = { ...target(root, $ref, at), ...rest }
      continue
    }
    const choices = property.anyOf ?? property.oneOf
    if (Array.isArray(choices) && choices.some(isNull)) {
      const others = choices.filter((choice) => !isNull(choice))
      const { anyOf: _any, oneOf: _one, default: value, ...about } = property
      if (others.length !== 1 || !isObject(others[0])) throw unsupported('anyOf', at, 'a field has one type')
      property = { ...others[0], ...about, ...(value === undefined ? {} : { default: value }) }
      nullable = true
      continue
    }
    if (Array.isArray(property.type)) {
      const types = property.type.filter((type) => type !== 'null')
      if (types.length !== 1) throw unsupported('type', at, 'a field has one type')
      nullable ||= types.length < property.type.length
      property = { ...property, type: types[0] }
      continue
    }
    return { property, nullable }
  }
  throw unsupported('$ref', at, 'its references do not end')
}

function target(root: Schema, reference: string, at: string): Schema {
  const [, keyword, name] = /^#\/(\$defs|definitions)\/([^/~]+)$/.exec(reference) ?? []
  const group = keyword === undefined ? undefined : root[keyword]
  const found = isObject(group) && name !== undefined && Object.hasOwn(group, name) ? group[name] : undefined
  if (!isObject(found)) throw unsupported('$ref', at, 'only references to $defs of the same schema can be followed')
  return found
}

function nested(leaves: readonly Leaf[], input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { path } of leaves) {
    const id = path.join('.')
    if (!Object.hasOwn(input, id)) continue
    let group = result
    for (const name of path.slice(0, -1)) {
      if (!Object.hasOwn(group, name)) define(group, name, {})
      group = group[name] as Record<string, unknown>
    }
    define(group, path.at(-1) as string, input[id])
  }
  return result
}

/** An assignment to `__proto__` would change the prototype. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Removes `null` keywords, which ACP allows and which mean that the keyword is absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([key, one]) => [key, withoutNulls(one)]),
  )
}

const isNull = (schema: unknown) => isObject(schema) && schema.type === 'null'

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
