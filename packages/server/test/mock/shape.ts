/** Fields whose values differ from run to run. */
const VARYING =
  /^(?:timestamp|serverTime|respondedAt|expiresAt|interactionId|flowId|cursor|handle|answerId|logId|requestId|next|url|secret)$/

/** A body without what differs from run to run: names, types and fixed values stay. */
export function shapeOf(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => shapeOf(one))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner, key)]))
  }
  if (VARYING.test(field) && value !== null) return `<${typeof value}>`
  return value
}
