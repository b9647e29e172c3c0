export function MenuButton() {
  return (
    <button type="button" className="icon-button menu-button" popoverTarget="sidebar" aria-label="Chats">
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden>
        <path d="M3 6h14M3 10h14M3 14h14" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </button>
  )
}
