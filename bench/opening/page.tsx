import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider, InteractionView, usePendingInteractions } from '@holdpoint/react'
import { createRoot } from 'react-dom/client'

/** The functions that the bench calls in the page. Each returns milliseconds. */
export interface OpeningPage {
  /** From a new client until its first card is in the document. */
  open(sessionId: string, text: string): Promise<number>
  /** The least that any page does with the same snapshot. */
  fetchAndParse(sessionId: string): Promise<number>
}

const url = '/holdpoint'
const HANGS_MS = 20_000

function Questions() {
  return usePendingInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)
}

/** Resolves in the task in which the text appears. */
function appears(place: HTMLElement, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`"${text}" is not on the page`)), HANGS_MS)
    const watch = new MutationObserver(() => {
      if (!place.textContent?.includes(text)) return
      watch.disconnect()
      clearTimeout(late)
      resolve()
    })
    watch.observe(place, { childList: true, subtree: true, characterData: true })
  })
}

const page: OpeningPage = {
  async open(sessionId, text) {
    const place = document.body.appendChild(document.createElement('main'))
    const shown = appears(place, text)
    const began = performance.now()
    const client = createHoldpointClient({ sessionId, transport: sse({ url }) })
    const root = createRoot(place)
    root.render(
      <HoldpointProvider client={client}>
        <Questions />
      </HoldpointProvider>,
    )
    await shown
    const took = performance.now() - began
    root.unmount()
    client.close()
    place.remove()
    return took
  },
  async fetchAndParse(sessionId) {
    const began = performance.now()
    const response = await fetch(`${url}/sessions/${sessionId}`)
    JSON.parse(await response.text())
    return performance.now() - began
  },
}
;(window as unknown as { opening: OpeningPage }).opening = page
