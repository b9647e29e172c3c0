'use client'

import type { HoldpointClient } from '@holdpoint/core'
import { type ButtonSlotProps, HoldpointProvider, ToolInteraction } from '@holdpoint/react'
import '@holdpoint/react/styles.css'
import '@holdpoint/react/shadcn.css'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'

const variants = { primary: 'default', danger: 'destructive', secondary: 'outline', quiet: 'link' } as const

/** Your own button, in Holdpoint's cards. It hands every attribute on: that is what keeps the cards accessible. */
function CardButton({ variant, ...props }: ButtonSlotProps) {
  return <Button variant={variants[variant]} size={variant === 'quiet' ? 'sm' : 'default'} {...props} />
}

/** Put it around the chat. */
export function Holdpoint({ client, children }: { client: HoldpointClient; children: ReactNode }) {
  return (
    <HoldpointProvider client={client} slots={{ Button: CardButton, Input }}>
      {children}
    </HoldpointProvider>
  )
}

/** Place it where the chat shows a tool call. */
export { ToolInteraction }
