import type { Person } from './app.tsx'

export async function login(userId: string): Promise<Person> {
  const response = await fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  })
  return (await response.json()) as Person
}

export function Login({ onLogin }: { onLogin(person: Person): void }) {
  return (
    <main className="login">
      <h1 className="plain">Holdpoint</h1>
      <p className="plain">An agent that stops, asks you, and continues exactly once. Who are you?</p>
      <div className="row">
        <button type="button" className="control primary" onClick={() => void login('ada').then(onLogin)}>
          Ada
        </button>
        <button type="button" className="control" onClick={() => void login('grace').then(onLogin)}>
          Grace
        </button>
      </div>
    </main>
  )
}
