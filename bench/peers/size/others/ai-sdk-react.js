/** The chat hook, which carries approvals too; what is drawn is the application's. */
export { useChat } from '@ai-sdk/react'
