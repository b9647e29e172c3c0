import type { Said } from './messages.ts'

/** Does what the parent process says, and answers each order by its number. Ends when the parent is gone. */
export function answerOrders<Order>(carryOut: (order: Order) => Promise<unknown>): void {
  process.on('message', ({ id, order }: { id: number; order: Order }) => {
    const say = (said: Said) => {
      if (process.connected) process.send?.(said, undefined, undefined, () => {})
    }
    carryOut(order).then(
      (value) => say({ id, value }),
      (error: Error & { code?: string }) =>
        say({ id, error: { code: error.code ?? error.name, message: error.message } }),
    )
  })
  process.on('disconnect', () => process.exit())
}
