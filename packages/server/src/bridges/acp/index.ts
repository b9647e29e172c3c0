export { acpAgent } from './acp-agent.ts'
export { acpClient } from './acp-client.ts'
