import type { IntegrationInfo } from '../settings/context.ts'
import { visible } from '../wording/escape.ts'

/** The application's name for an account, else its id made readable: `google-calendar` is `Google Calendar`. */
export function integrationName(integration: string, info: IntegrationInfo | undefined): string {
  if (info) return info.name
  return visible(integration)
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
