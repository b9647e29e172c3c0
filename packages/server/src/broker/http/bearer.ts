/** Returns the token of an `Authorization: Bearer` header, or null if there is none. */
export function bearerOf(header: string | null): string | null {
  return /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1] ?? null
}
