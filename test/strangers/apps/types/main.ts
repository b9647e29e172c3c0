import { createHoldpointClient, sse } from '@holdpoint/core'
import { fieldsFromZod } from '@holdpoint/core/forms/zod'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { z } from 'zod'

const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
const client = createHoldpointClient({ sessionId: 's1', transport: sse({ url: '/holdpoint', credentials: 'include' }) })
const fields = fieldsFromZod(z.object({ copies: z.int() }))

// A type that silently became `any` would accept these lines.
// @ts-expect-error a transport is required
createHoldpointClient({ sessionId: 's1' })
// @ts-expect-error `credentials` takes the modes of `fetch`
sse({ url: '/holdpoint', credentials: 'sometimes' })
// @ts-expect-error headers are strings
sse({ url: '/holdpoint', headers: { count: 1 } })

export const used = [holdpoint, client, fields]
