export { type ClaudeAgentOptions, claudeAgent } from './claude-agent.ts'
