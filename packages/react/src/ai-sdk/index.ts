export { HoldpointPart, type HoldpointPartProps } from './holdpoint-part.tsx'
export { UnplacedInteractions, type UnplacedInteractionsProps } from './unplaced-interactions.tsx'
export { type HoldpointChatOptions, useHoldpointChat } from './use-holdpoint-chat.ts'
