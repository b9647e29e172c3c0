import type { Logger } from '../engine/api/lifecycle-event.ts'

/** Where nobody asked for log lines. What has to be looked at goes to `onEvent` and into the rows as well. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
