export const paid: { order: string; amount: number; key: string }[] = []
/** The work for which the platform keeps the function alive. */
export const pending: Promise<unknown>[] = []

/** As `after` of Next.js. */
export function after(work: () => Promise<unknown>): void {
  pending.push(work())
}
export async function pay(order: string, amount: number, key: string) {
  paid.push({ order, amount, key })
  return { paid: true }
}
