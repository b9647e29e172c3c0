/** Where browsers reach this app. */
export const origin = process.env.APP_URL ?? `http://localhost:${process.env.PORT ?? 3000}`
