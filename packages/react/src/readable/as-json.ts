/** Arguments as text that can be edited and read back. */
export const asJson = (args: unknown): string => JSON.stringify(args, null, 2) ?? ''
