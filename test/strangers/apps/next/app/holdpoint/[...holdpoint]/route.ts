import { toNextHandler } from '@holdpoint/server/next'
import { holdpoint } from '../../holdpoint'

export const { GET, POST } = toNextHandler(holdpoint)
