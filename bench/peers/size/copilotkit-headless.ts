/** The hooks without an interface of its own, human in the loop included. */
export { CopilotKitProvider, useAgent, useHumanInTheLoop } from '@copilotkit/react-core/v2/headless'
