/** The same with its chat. */
export { CopilotChat, CopilotKitProvider, useHumanInTheLoop } from '@copilotkit/react-core/v2'
