/** One page of a list, with the place where the next one begins. The last page has none. */
export interface Page<Place> {
  next?: Place | undefined
}

/**
 * Reads a list page by page, to its end. `read` receives the place to continue from, and undefined for the first page.
 * A page is read when the caller asks for it, so a caller that stops early reads no further page.
 *
 * @example for await (const { rows } of pages((after) => store.byTag('t', after ? { after } : {}))) found.push(...rows)
 */
export async function* pages<Read extends Page<unknown>>(
  read: (after: Read['next'] | undefined) => Promise<Read>,
): AsyncGenerator<Read, void> {
  let after: Read['next'] | undefined
  do {
    const page = await read(after)
    yield page
    after = page.next
  } while (after !== undefined)
}
