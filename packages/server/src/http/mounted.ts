import { HoldpointError } from '@holdpoint/core'
import type { Engine } from '../engine/api/engine.ts'
import type { HttpApp } from './app.ts'

/** Handles requests in every runtime that has Request and Response. */
export type HoldpointFetch = (request: Request) => Promise<Response>

/** The object that adapters of frameworks and channels receive: a Holdpoint. */
export interface Mounted {
  readonly fetch: HoldpointFetch
}

/** `Symbol.for`, so that two copies of the package in one process find each other's app. */
const APP = Symbol.for('holdpoint.app')

/** Attaches the app to `fetch` under a symbol, because the app is not part of the public API. */
export function withApp(fetch: HoldpointFetch, app: HttpApp): HoldpointFetch {
  return Object.defineProperty(fetch, APP, { value: app })
}

/** Returns the app that handles this Holdpoint's requests. The other channels and the bridges share it. */
export function appOf({ fetch }: Mounted): HttpApp {
  const app = (fetch as (HoldpointFetch & { [APP]?: HttpApp }) | undefined)?.[APP]
  if (app) return app
  throw new HoldpointError(
    'not_a_holdpoint',
    'This call takes what createHoldpoint returned, and got another object. If you wrap holdpoint.fetch, pass the Holdpoint itself here.',
  )
}

/** Returns the engine of this Holdpoint. */
export const engineOf = (holdpoint: Mounted): Engine => appOf(holdpoint).engine
