export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden>
      {name.replace(/[^A-Z]/g, '')}
    </span>
  )
}
