import { visible } from './escape.ts'

/** The application's name for an account, else its id made readable: `google-calendar` is `Google Calendar`. */
export function integrationName(integration: string, info: { readonly name: string } | undefined): string {
  if (info) return info.name
  return visible(integration)
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
