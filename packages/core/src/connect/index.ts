export { type AuthRequired, AuthRequiredError, detectAuthRequired, type ToolOutput } from './auth-required.ts'
export { type AuthReturn, handleAuthReturn, readAuthReturn } from './auth-return.ts'
export {
  type ConnectAccountOptions,
  type ConnectAttempt,
  type ConnectState,
  connectAccount,
} from './connect-account.ts'
export { type FlowMessage, type FlowOutcome, flowChannelName, listenForFlow, reportFlow } from './flow-channel.ts'
export { isInAppBrowser } from './in-app-browser.ts'
export { type Integration, integrations } from './integrations.ts'
export { type PendingAccount, type PendingAuth, pendingAuth, pendingAuthOf } from './pending-auth.ts'
