import {
  longPollPeer,
  memoryPeer,
  messagePortPeer,
  ssePeer,
  transportSuite,
  webSocketPeer,
} from '@holdpoint/conformance/transport'

// Depth and `__proto__` are the server's to refuse: what this driver says of garbage is in drivers.test.ts.
transportSuite('sse', { ...ssePeer, framewise: false })
transportSuite('long poll', longPollPeer)
transportSuite('websocket', webSocketPeer)
transportSuite('message port', messagePortPeer)
transportSuite('memory', memoryPeer)
