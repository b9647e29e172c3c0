import type { AnsweringKernel } from '../answering/answering-kernel.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** The kernel with the registered tools. */
export interface ToolKernel extends AnsweringKernel {
  readonly tools: ToolRegistry
}
