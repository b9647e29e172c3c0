import type { UploadedFile } from '@holdpoint/core/internal'

/** The uploaded files in the value of a field. */
export function filesOf(value: unknown): readonly UploadedFile[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((file): file is UploadedFile => typeof file === 'object' && file !== null && 'handle' in file)
}
