/** The answer page at the width of a phone, without JavaScript: the frame may send forms, and nothing else. */
export function Phone({ link }: { link: string }) {
  return (
    <div className="phone-place">
      <div className="phone">
        <iframe title="The answer page on a phone" src={link} sandbox="allow-forms allow-same-origin" />
      </div>
      <p className="muted">
        This is the page behind the link. <a href={link}>Open it by itself</a>, or copy its address to a real phone that
        reaches this machine.
      </p>
    </div>
  )
}
