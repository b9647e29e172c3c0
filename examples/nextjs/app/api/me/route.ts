import { authenticate } from '@/lib/login.ts'

export async function GET(request: Request): Promise<Response> {
  return Response.json(await authenticate(request))
}
