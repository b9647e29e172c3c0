export { visible } from '../text/visible.ts'
export { createBridgeKey } from './bridge/bridge-format.ts'
export type { BridgeAnswer } from './bridge/read-answer.ts'
export {
  bridgeKeyFromStdin,
  createSandboxBridge,
  type RunOptions,
  type RunResult,
  type SandboxBridge,
  type SandboxBridgeOptions,
} from './bridge/sandbox-bridge.ts'
export {
  createSandboxHost,
  localFiles,
  type SandboxFiles,
  type SandboxHostOptions,
  sandboxFiles,
} from './bridge/sandbox-host.ts'
export { configFolder } from './config-folder.ts'
export { fileTokenStore } from './file-token-store.ts'
export { fileLock } from './files/file-lock.ts'
export { linesPort } from './lines-port.ts'
export { openBrowser } from './open-browser.ts'
export { type RequireTokenOptions, reportAuthRequired, requireToken } from './require-token.ts'
export { answerInTerminal, type TerminalOptions } from './terminal/answer-in-terminal.ts'
