/** A tool that refuses an answer asks again within this time, or the card says that it was answered. */
export const SETTLE_MS = 400
