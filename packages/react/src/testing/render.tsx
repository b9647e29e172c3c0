import type { Answer, Interaction } from '@holdpoint/core'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import { loadParts } from '../base/on-demand.ts'
import type { HoldpointProviderProps } from '../settings/provider.tsx'
import { type FakeClient, fakeClient } from './fake-client.ts'
import { StoryFrame } from './story-frame.tsx'
import '../styles/styles.css'
import './fonts.css'

/** Renders into the real page, below a provider with a client that remembers what it was asked. */
export async function show(
  content: ReactNode | ((client: FakeClient) => ReactNode),
  options: {
    interactions?: readonly Interaction[]
    client?: FakeClient
    provider?: Partial<HoldpointProviderProps>
  } = {},
) {
  const client = options.client ?? fakeClient({ interactions: options.interactions ?? [] })
  const node = () => (
    <StoryFrame client={client} {...options.provider}>
      {typeof content === 'function' ? content(client) : content}
    </StoryFrame>
  )
  await Promise.all([fontsLoaded(), loadParts()])
  const screen = await render(node())
  return { client, ...screen, again: () => screen.rerender(node()) }
}

/**
 * Loads every font that the page declares. Browsers load a font when text first needs it and draw with a fallback of
 * other widths until then, so a layout measured early would move under the test.
 */
async function fontsLoaded(): Promise<void> {
  await Promise.all([...document.fonts].filter(({ status }) => status !== 'loaded').map((font) => font.load()))
}

/** Returns the text of the live region. */
export const liveText = () => document.querySelector('[data-slot="live"]')?.textContent?.trim() ?? ''

/** Everything that the live region says from now on, in order. */
export function listen(): string[] {
  const texts: string[] = []
  const region = document.querySelector('[data-slot="live"]')!
  new MutationObserver(() => {
    const text = region.textContent?.trim()
    if (text) texts.push(text)
  }).observe(region, { childList: true, characterData: true, subtree: true })
  return texts
}

export const part = (slot: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-slot="${slot}"]`)
  if (!found) throw new Error(`No part ${slot} on the page`)
  return found
}

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns the sent answers as `[id, answer]`, without the shown digest. */
export const answers = (client: FakeClient) =>
  client.calls
    .filter(({ method }) => method === 'respond')
    .map(({ args: [id, answer] }) => {
      const { shownDigest: _shown, ...rest } = answer as Answer
      return [id, rest]
    })

/** The arguments that a question would run. */
export const argsOf = ({ request }: Interaction): unknown => (request as { args?: unknown }).args
