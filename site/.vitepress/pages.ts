/** The sidebar. A test checks that it lists every guide. */
export const groups: readonly { title: string; pages: readonly (readonly [text: string, link: string])[] }[] = [
  {
    title: 'Start',
    pages: [
      ['An AI SDK app', '/docs/ai-sdk'],
      ['Express with your own loop', '/docs/express'],
      ['Questions and forms', '/docs/questions'],
      ['The API on one screen', '/docs/overview'],
    ],
  },
  {
    title: 'Build',
    pages: [
      ['Accounts', '/docs/accounts'],
      ['Policies and user actions', '/docs/tools'],
      ['Previews', '/docs/previews'],
      ['Your own markup', '/docs/own-markup'],
      ['Theming', '/docs/theming'],
      ['Tabs', '/docs/tabs'],
      ['Testing', '/docs/testing'],
    ],
  },
  {
    title: 'Reach the person',
    pages: [
      ['E-mail and Slack', '/docs/email-and-slack'],
      ['Push and chat platforms', '/docs/push-and-chat'],
      ['Answer links', '/docs/answer-links'],
      ['Write a surface', '/docs/surfaces'],
    ],
  },
  {
    title: 'Bridges',
    pages: [
      ['An MCP server', '/docs/mcp'],
      ['LangChain', '/docs/langchain'],
      ['OpenAI Agents', '/docs/openai-agents'],
      ['Claude Agent SDK', '/docs/claude-agent-sdk'],
      ['Agent Client Protocol', '/docs/acp'],
      ['Remote agents', '/docs/remote'],
    ],
  },
  {
    title: 'Operate',
    pages: [
      ['Postgres and Redis', '/docs/stores'],
      ['Serverless', '/docs/serverless'],
      ['Telemetry', '/docs/telemetry'],
      ['Security', '/docs/security'],
      ['Limits', '/docs/limits'],
      ['Scale', '/docs/scale'],
      ['Troubleshooting', '/docs/troubleshooting'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['Every export', '/docs/api'],
      ['Errors', '/docs/errors'],
      ['Protocol', '/PROTOCOL'],
      ['Security claims', '/SECURITY'],
      ['Architecture', '/ARCHITECTURE'],
      ['Decisions', '/docs/decisions/README'],
      ['Glossary', '/docs/glossary'],
      ['Comparison', '/docs/comparison'],
      ['Supply chain', '/docs/supply-chain'],
    ],
  },
]
