import { visible } from './escape.ts'

/** How a tool is shown: the application's name for it, else the title of its chat part, else its id as words. */
export function toolNameOf(id: string, info: { readonly name: string } | undefined, title?: string): string {
  return visible(info?.name ?? title ?? words(id))
}

/** `delete_files` is "Delete files". Anything but a plain identifier stays as it is. */
function words(id: string): string {
  if (!/^[a-zA-Z][a-zA-Z0-9]*([_.-][a-zA-Z0-9]+)*$/.test(id)) return id
  const text = id
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
