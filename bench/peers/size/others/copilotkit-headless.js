/** The hooks without an interface of its own, human in the loop included. */
export { CopilotKitContext, CopilotKitCoreReact } from '@copilotkit/react-core/v2/context'
export { useAgent, useHumanInTheLoop } from '@copilotkit/react-core/v2/headless'
