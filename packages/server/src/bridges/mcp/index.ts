export { mcpTool } from './mcp-tool.ts'
export { type McpTools, mcpTools } from './mcp-tools.ts'
