import Link from 'next/link'

/** Also for a chat of another user, so that the page does not reveal that it exists. */
export default function NotFound() {
  return (
    <main className="center">
      <h1>There is no such chat.</h1>
      <p className="muted">Or it is not yours.</p>
      <Link className="button primary" href="/">
        Start a new one
      </Link>
    </main>
  )
}
