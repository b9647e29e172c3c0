import { type ReactNode, useState } from 'react'
import { useCard } from './card-context.ts'
import { Part } from './part.tsx'

const paths: Readonly<Record<string, string>> = {
  approval: 'M10 2.5 3.5 5v4.5c0 4 2.8 6.9 6.5 8 3.7-1.1 6.5-4 6.5-8V5L10 2.5ZM7 10l2.2 2.2L13.2 8',
  input: 'M3.5 3h13v14h-13V3ZM6.5 7h7M6.5 10h7M6.5 13h4',
  connect: 'M8 12l4-4M9 6l2.3-2.3a3.5 3.5 0 0 1 5 5L14 11M6 9l-2.3 2.3a3.5 3.5 0 0 0 5 5L11 14',
  check: 'M4.5 10.5 8 14l7.5-8',
  cross: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  clock: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM10 6v4.2l2.6 1.6',
  warning: 'M10 3.5 2.5 16.5h15L10 3.5ZM10 8.5v3.5M10 14.4v.1',
  expand: 'M11.5 3.5h5v5M16.5 3.5 11 9M8.5 16.5h-5v-5M3.5 16.5 9 11',
  fact: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM10 9.2v4.3M10 6.4v.1',
  unknown: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM8 8a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.3M10 13.6v.1',
}

/**
 * An icon of 20 pixels; the application's own if it has one. It is decorative, because the text contains the same
 * information.
 */
export function Icon({ name, src, fallback }: { name: string; src?: string | undefined; fallback?: string }) {
  const { slots } = useCard()
  return (
    <Part as="span" slotName="icon" aria-hidden="true">
      {slots.Icon ? <slots.Icon name={name} src={src} /> : <Drawing name={name} src={src} fallback={fallback} />}
    </Part>
  )
}

function Drawing({
  name,
  src,
  fallback,
}: {
  name: string
  src: string | undefined
  fallback: string | undefined
}): ReactNode {
  const [broken, setBroken] = useState<string | null>(null)
  if (src && broken !== src) {
    return <img src={src} alt="" width={20} height={20} onError={() => setBroken(src)} referrerPolicy="no-referrer" />
  }
  if (fallback) return <span className="hp-initial">{fallback}</span>
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration, hidden by the part around it
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5">
      <path d={paths[name] ?? paths.unknown} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
