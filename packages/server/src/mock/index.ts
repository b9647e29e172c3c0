export { InteractionRefused } from '../engine/api/interaction-refused.ts'
export { type MockServer, mockServer } from './mock-server.ts'
