import type { Person } from '@/lib/people.ts'
import { Avatar } from './avatar.tsx'

/** A plain form, so that it works before the page's scripts have loaded. */
export function SignIn({ people, next }: { people: readonly Person[]; next: string }) {
  return (
    <form className="people" action="/api/login" method="post">
      <input type="hidden" name="next" value={next} />
      {people.map(({ userId, name }) => (
        <button key={userId} type="submit" name="userId" value={userId} className="person">
          <Avatar name={name} />
          {name}
        </button>
      ))}
    </form>
  )
}
