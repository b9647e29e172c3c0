import type { BrowserWindow } from '../dom-types.ts'
import { isInAppBrowser } from './in-app-browser.ts'

/** Returns how an account is connected: in a separate window, except in browsers inside other apps. */
export function flowMode(mode: 'popup' | 'redirect' | undefined, window: BrowserWindow): 'popup' | 'redirect' {
  return mode ?? (isInAppBrowser(window.navigator.userAgent) ? 'redirect' : 'popup')
}

/** Opens an empty window for a flow. Call it in a press, because browsers block it at any other time. */
export function openFlowWindow(window: BrowserWindow): BrowserWindow | null {
  return window.open('about:blank', '_blank', 'popup,width=520,height=720')
}
