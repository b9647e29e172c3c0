import Link from 'next/link'

/** Also for a chat of somebody else: that it exists is nobody's business. */
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
