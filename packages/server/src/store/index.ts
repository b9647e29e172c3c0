export type { Commit, CommitResult, LogEvent, Put, Row, Store } from './port.ts'
