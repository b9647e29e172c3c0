export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 20 20" width="22" height="22" aria-hidden>
        <circle cx="10" cy="10" r="9" fill="currentColor" />
        <path d="M7.5 6v8M12.5 6v8" stroke="var(--on-accent)" strokeWidth="2.2" strokeLinecap="round" />
      </svg>
      Holdpoint
    </span>
  )
}
