export async function sessionOf(request: Request) {
  const userId = request.headers.get('x-user')
  return userId === null ? null : { userId }
}
