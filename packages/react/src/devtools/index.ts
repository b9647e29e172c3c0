export { HoldpointDevtools } from './devtools.tsx'
export { recordSession } from './record/record-session.ts'
export { recordingAsCode } from './record/recording-as-code.ts'
export type { SessionRecording } from './record/types.ts'
