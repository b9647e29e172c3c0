import type { Endpoint } from '../http/call.ts'
import { ask, confirm } from './ask.ts'
import { approve, authorize, callback, done } from './browser-endpoints.ts'
import { connect } from './connect.ts'
import { disconnect, list } from './list.ts'
import { status } from './status.ts'
import { logout, refresh } from './tokens.ts'

/** All endpoints below the mount point. */
export const endpoints: readonly Endpoint[] = [
  connect,
  status,
  list,
  disconnect,
  refresh,
  logout,
  ask,
  confirm,
  authorize,
  approve,
  callback,
  done,
]
