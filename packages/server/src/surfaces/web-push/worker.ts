/**
 * The service worker that shows notifications. It is served below the mount point. It handles only pushes of `webPushSurface`,
 * so an application can also import it into its own worker with `importScripts`.
 */
export const WORKER = `'use strict'
{
  // In the worker of an application the address of the mount point is unknown; the page subscribes again there.
  const own = self.location.pathname.endsWith('/push/worker.js') ? new URL('../push', self.location.href) : null
  const readable = (event) => {
    try {
      const data = event.data && event.data.json()
      return data && typeof data.tag === 'string' && data.tag.startsWith('holdpoint-') ? data : null
    } catch {
      return null
    }
  }

  self.addEventListener('push', (event) => {
    const data = readable(event)
    if (!data) return
    const { tag, title, body, lang, dir, silent, renotify, answer, url } = data
    const actions = answer
      ? [{ action: 'approve', title: answer.approve }, { action: 'deny', title: answer.deny }]
      : []
    event.waitUntil(
      self.registration.showNotification(title, { tag, body, lang, dir, silent, renotify, actions, data: { url, answer } }),
    )
  })

  self.addEventListener('notificationclick', (event) => {
    const { notification, action } = event
    if (!notification.tag.startsWith('holdpoint-')) return
    const { url, answer } = notification.data || {}
    notification.close()
    const isOwn = new URL(url).origin === self.location.origin
    const answering = isOwn && answer && (action === 'approve' || action === 'deny')
    event.waitUntil(answering ? give(url, answer, action) : open(url))
  })

  // With the login of this browser. If the answer is not accepted, the page opens.
  async function give(url, { answerId, shownDigest }, action) {
    try {
      const body = new URLSearchParams({ answerId, shownDigest, action })
      const response = await fetch(url, { method: 'POST', body, credentials: 'same-origin' })
      // An accepted answer redirects to the page itself. A login page or a captive portal can also answer 200.
      const isAccepted = response.ok && response.redirected && response.url === new URL(url).href
      if (!isAccepted) await open(url)
    } catch {
      await open(url)
    }
  }

  async function open(url) {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const shown = windows.find((one) => one.url === url)
    await (shown ? shown.focus() : self.clients.openWindow(url))
  }

  self.addEventListener('pushsubscriptionchange', (event) => {
    const { oldSubscription } = event
    if (!oldSubscription || !own) return
    event.waitUntil(
      (async () => {
        const subscription = event.newSubscription || (await self.registration.pushManager.subscribe(oldSubscription.options))
        await fetch(own, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ subscription, language: navigator.language }),
          credentials: 'same-origin',
        })
      })(),
    )
  })
}
`
