import fc from 'fast-check'
import type { z } from 'zod'

/**
 * Values that a schema accepts, and a few extra fields as a newer version would send. Leaves are drawn at random and
 * filtered by their own schema, so that a rule added to a schema needs no change here.
 */
export function fromSchema(schema: z.ZodType): fc.Arbitrary<unknown> {
  const def = (schema as unknown as { def: SchemaDef }).def
  switch (def.type) {
    case 'object':
      // Rules about several fields at once are the whole object's.
      return accepted(schema, object(def))
    case 'optional':
      return fc.option(fromSchema(def.innerType), { nil: undefined })
    case 'array':
      // Never empty: most lists have a minimum, and short ones find as much.
      return fc.array(fromSchema(def.element), { minLength: 1, maxLength: 3 })
    case 'record':
      return fc.dictionary(key, fromSchema(def.valueType), { maxKeys: 3 })
    case 'union':
      return fc.oneof(...def.options.map(fromSchema))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'boolean':
      return fc.boolean()
    case 'unknown':
      return fc.jsonValue({ maxDepth: 2 })
    case 'number':
      return accepted(schema, fc.oneof(fc.nat(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })))
    case 'string':
      return accepted(
        schema,
        fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 30 }), moment, path),
      )
  }
  throw new Error(`No generator for ${JSON.stringify(def)}: add one here.`)
}

type SchemaDef =
  | { type: 'object'; shape: Record<string, z.ZodType> }
  | { type: 'optional'; innerType: z.ZodType }
  | { type: 'array'; element: z.ZodType }
  | { type: 'record'; valueType: z.ZodType }
  | { type: 'union'; options: z.ZodType[] }
  | { type: 'literal'; values: unknown[] }
  | { type: 'enum'; entries: Record<string, unknown> }
  | { type: 'boolean' | 'unknown' | 'number' | 'string' }

const accepted = (schema: z.ZodType, values: fc.Arbitrary<unknown>) =>
  values.filter((value) => schema.safeParse(value).success)

/** Keys that a careless lookup would trip over are likely; `__proto__` is not data and has its own tests. */
const key = fc
  .oneof(fc.string({ maxLength: 8 }), fc.constantFrom('constructor', 'toString', 'type'))
  .filter((k) => k !== '__proto__')
const path = fc.constantFrom('/sessions/s-1', '/inbox')
const moment = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      date.toISOString(),
      date.toISOString().replace('Z', '+05:30'),
      date.toISOString().replace(/\.\d+Z/, 'Z'),
    ),
  )

function object(def: Extract<SchemaDef, { type: 'object' }>): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, fromSchema(field)]))
  const newer = fc.dictionary(
    fc.string({ maxLength: 5 }).map((name) => `x_${name}`),
    fc.jsonValue({ maxDepth: 1 }),
    { maxKeys: 2 },
  )
  // Through JSON, as on the wire: undefined values are absent.
  return fc.tuple(fc.record(known), newer).map(([value, extra]) => JSON.parse(JSON.stringify({ ...extra, ...value })))
}
