/** The parts of the browser that the hook uses: permission, worker and subscription. */

const WORKER_PATH = '/push/worker.js'

export const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** The scope of the worker is below the mount point. The worker controls no page and does not replace the worker of the application. */
const scopeOf = (url: string) => `${url}/push/`

/** The subscription of this browser, if there is one. Asks for no permission. */
export async function currentSubscription(url: string): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scopeOf(url))
  return registration?.scope.endsWith(scopeOf(url)) ? await registration.pushManager.getSubscription() : null
}

/** Subscribes with the key of the server. A subscription with another key would never get a message, and is replaced. */
export async function subscribe(url: string, publicKey: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.register(`${url}${WORKER_PATH}`, { scope: scopeOf(url) })
  await activated(registration)
  const applicationServerKey = bytesOf(publicKey)
  const current = await registration.pushManager.getSubscription()
  if (current && !isSame(current.options.applicationServerKey, applicationServerKey)) await current.unsubscribe()
  return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

/** Browsers refuse to subscribe before the worker is active. */
async function activated({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (active || !worker) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve()
    })
  })
}

function isSame(key: ArrayBuffer | null, expected: Uint8Array): boolean {
  const bytes = new Uint8Array(key ?? new ArrayBuffer(0))
  return bytes.length === expected.length && bytes.every((byte, index) => byte === expected[index])
}

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
