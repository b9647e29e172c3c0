import fc from 'fast-check'

/** A copy of a JSON value with one place replaced or removed: most are malformed, some are still fine. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      values,
      fc.nat(),
      fc.oneof(fc.constant(gone), fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('', 0, null, [], {})),
    )
    .map(([value, pick, put]) => {
      const copy = structuredClone(value)
      const places = placesOf(copy)
      const place = places[pick % Math.max(1, places.length)]
      if (!place) return put === gone ? undefined : put
      const [holder, key] = place
      if (put === gone) delete holder[key]
      else holder[key] = put
      return copy
    })
}

const gone = Symbol('gone')

type Holder = Record<string, unknown>

function placesOf(value: unknown): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Holder
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Holder, string], ...placesOf(holder[key])])
}
