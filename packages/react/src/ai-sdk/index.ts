export { HoldpointPart } from './holdpoint-part.tsx'
export { UnplacedInteractions } from './unplaced-interactions.tsx'
export { useHoldpointChat } from './use-holdpoint-chat.ts'
