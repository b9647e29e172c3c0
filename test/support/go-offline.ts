import type { Page } from 'playwright-core'

/**
 * Cuts the network of a page. `setOffline` returns before Chromium's network process has cut the connection, so on a busy
 * machine the next request could still reach the server.
 */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.waitForFunction(() =>
    fetch('/goes-nowhere', { method: 'HEAD', cache: 'no-store' }).then(
      () => false,
      () => true,
    ),
  )
}
