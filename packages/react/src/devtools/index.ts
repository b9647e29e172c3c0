export { HoldpointDevtools } from './devtools.tsx'
export { fixtureOf } from './record/fixture.ts'
export { recordSession } from './record/record-session.ts'
export type { SessionRecording } from './record/types.ts'
