import { integrationWords, toolWords } from '@holdpoint/core/internal/names'
import { visible } from './escape.ts'

type Named = Readonly<Record<string, { readonly name: string }>>

/** The application's names of tools and accounts. Without a name the id is shown. */
export interface Names {
  readonly tools?: Named | undefined
  readonly integrations?: Named | undefined
  /** The title of the tool's chat part, for a tool without a name. */
  readonly toolTitle?: string | undefined
}

/** Returns the application's own entry for an id, never an inherited property. */
export const infoOf = <T>(all: Readonly<Record<string, T>> | undefined, id: string): T | undefined =>
  all && Object.hasOwn(all, id) ? all[id] : undefined

/** Returns the name of a tool: the application's, else the title of its chat part, else its id as words. */
export function toolNameOf(id: string, { tools, toolTitle }: Names = {}): string {
  return visible(infoOf(tools, id)?.name ?? toolTitle ?? toolWords(id))
}

/** The application's name for an account, else its id made readable: `google-calendar` is `Google Calendar`. */
export function integrationName(integration: string, { integrations }: Names = {}): string {
  return infoOf(integrations, integration)?.name ?? visible(integrationWords(integration))
}
