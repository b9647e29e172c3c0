import { toNextHandler } from '@holdpoint/server/next'
import { holdpoint } from '@/lib/holdpoint.ts'

export const { GET, POST } = toNextHandler(holdpoint)
