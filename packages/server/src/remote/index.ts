export { createRemoteAgent } from './agent/create-remote-agent.ts'
export type { RunAgent } from './agent/runs.ts'
export { createRemoteSessions } from './backend/create-remote-sessions.ts'
