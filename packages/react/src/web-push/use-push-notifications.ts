import { useCallback, useEffect, useRef, useState } from 'react'
import { currentSubscription, isSupported, subscribe } from './browser.ts'

/** Where the server is, and with which credentials it is called. */
export interface PushNotificationOptions {
  /** Where the server is mounted: `/holdpoint`. It must be on the origin of the page. */
  url: string
  /** Called for each request. */
  headers?: () => HeadersInit | Promise<HeadersInit>
  fetch?: typeof globalThis.fetch
}

/** `blocked`: the user refused notifications of this site, which only the settings of the browser change. */
type PushState = 'loading' | 'unsupported' | 'blocked' | 'off' | 'on'

/**
 * Subscribes this browser to push notifications about open questions. Call `enable` in a click: browsers show their
 * question only then. Call `disable` when the user signs out.
 *
 * @example
 * const push = usePushNotifications({ url: '/holdpoint' })
 * return push.state === 'off' && <button onClick={push.enable}>Notify me on this device</button>
 */
export function usePushNotifications(options: PushNotificationOptions) {
  const [state, setState] = useState<PushState>('loading')
  const [error, setError] = useState<Error | null>(null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const url = options.url.replace(/\/+$/, '')

  useEffect(() => {
    let isShown = true
    const readState = async (): Promise<PushState> => {
      if (!isSupported()) return 'unsupported'
      if (Notification.permission === 'denied') return 'blocked'
      const subscription = await currentSubscription(url)
      if (!subscription) return 'off'
      // Sent again, because another user may have signed in, or the server may have forgotten the subscription.
      const { publicKey } = await save(latest.current, url, subscription)
      // The server may have other keys than when this browser subscribed.
      const renewed = await subscribe(url, publicKey)
      if (renewed.endpoint !== subscription.endpoint) await save(latest.current, url, renewed)
      return 'on'
    }
    readState().then(
      (found) => isShown && setState(found),
      (failure: Error) => {
        if (!isShown) return
        setState('off')
        setError(failure)
      },
    )
    return () => {
      isShown = false
    }
  }, [url])

  /** Changes the subscription, and keeps what went wrong. */
  const attempt = useCallback(async (work: () => Promise<PushState>) => {
    setError(null)
    try {
      setState(await work())
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }, [])

  const enable = useCallback(
    () =>
      attempt(async () => {
        if (!isSupported()) return 'unsupported'
        const permission = await Notification.requestPermission()
        if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
        const { publicKey } = (await call(latest.current, `${url}/push`)) as { publicKey: string }
        await save(latest.current, url, await subscribe(url, publicKey))
        return 'on'
      }),
    [attempt, url],
  )
  const disable = useCallback(
    () =>
      attempt(async () => {
        const subscription = isSupported() ? await currentSubscription(url) : null
        if (!subscription) return 'off'
        // The browser first, so that notifications end even if the server cannot be reached.
        await subscription.unsubscribe()
        await call(latest.current, `${url}/push/remove`, { endpoint: subscription.endpoint })
        return 'off'
      }),
    [attempt, url],
  )
  return { state, error, enable, disable }
}

async function save(options: PushNotificationOptions, url: string, subscription: PushSubscription) {
  const body = { subscription: subscription.toJSON(), language: navigator.language }
  return (await call(options, `${url}/push`, body)) as { publicKey: string }
}

async function call({ headers, fetch = globalThis.fetch }: PushNotificationOptions, address: string, body?: object) {
  const all = new Headers(await headers?.())
  all.set('accept', 'application/json')
  if (body) all.set('content-type', 'application/json')
  const response = await fetch(address, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: all,
    credentials: 'same-origin',
  })
  if (!response.ok) throw new Error(`The server answered ${response.status} to the subscription to notifications.`)
  return (await response.json()) as unknown
}
