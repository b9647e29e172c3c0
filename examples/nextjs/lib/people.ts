/** The people of this demo. Yours come from your database. */
export const people = { ada: 'Ada Lovelace', grace: 'Grace Hopper' } as const

export interface Person {
  userId: string
  name: string
}

/** Where a person reads mail. */
export const addressOf = (userId: string): string | null => (personCalled(userId) ? `${userId}@example.com` : null)

export function personCalled(userId: string | undefined): Person | null {
  const name = userId !== undefined && Object.hasOwn(people, userId) ? people[userId as keyof typeof people] : undefined
  return userId !== undefined && name ? { userId, name } : null
}
