import { Brand } from '@/components/brand.tsx'
import { SignIn } from '@/components/sign-in.tsx'
import { people } from '@/lib/people.ts'

export default async function LoginPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams
  return (
    <main className="center">
      <Brand />
      <h1>Who are you?</h1>
      <p className="muted">
        An agent that stops, asks you, and continues exactly once. Two people are known here; each has chats of their
        own.
      </p>
      <SignIn people={Object.entries(people).map(([userId, name]) => ({ userId, name }))} next={String(next ?? '/')} />
    </main>
  )
}
