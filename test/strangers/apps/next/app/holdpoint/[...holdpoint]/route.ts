import { toNextHandler } from '@holdpoint/server/next'
import { holdpoint } from '../../holdpoint.ts'

export const { GET, POST } = toNextHandler(holdpoint)
