import { type HttpOptions, httpCall, inboxPath, sessionPath } from './http.ts'
import { required } from './required.ts'
import type { Transport } from './types.ts'

/** The part that all drivers with HTTP share: messages, snapshots and other single calls. */
export function httpCalls(options: HttpOptions): Pick<Transport, 'send' | 'snapshot' | 'request' | 'inbox'> {
  required(options, 'url')
  return {
    send: (context, message, signal) =>
      httpCall(options, context, sessionPath(context, '/messages'), { method: 'POST', body: message, signal }),
    snapshot: (context, signal) => httpCall(options, context, sessionPath(context), { signal }),
    request: (context, path, init) => httpCall(options, context, path, init),
    inbox: (context, next, signal) => httpCall(options, context, inboxPath(next), { signal }),
  }
}
