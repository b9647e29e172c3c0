export { createRemoteAgent, type RemoteAgent, type RemoteAgentOptions } from './agent/create-remote-agent.ts'
export type { AgentMessage, StreamPart } from './agent/messages-of.ts'
export type { AgentInput, RunAgent } from './agent/runs.ts'
export {
  createRemoteSessions,
  type RemoteSessions,
  type RemoteSessionsOptions,
} from './backend/create-remote-sessions.ts'
export type { AgentAddress } from './backend/open-remote.ts'
export type { RemoteMessage, ToolUse } from './backend/records.ts'
export type { UnknownMessage } from './backend/take-message.ts'
