/** The storage that tabs of one origin share: a window receives events of writes by other windows, not of its own. */
export function storageOrigin() {
  const kept = new Map<string, string>()
  const tabs = new Set<(key: string | null) => void>()
  return () => {
    const target = new EventTarget()
    const localStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem(key: string, value: string) {
        kept.set(key, value)
        for (const other of tabs) if (other !== emitStorage) other(key)
      },
    }
    const emitStorage = (key: string | null, storageArea: unknown = localStorage) =>
      void target.dispatchEvent(Object.assign(new Event('storage'), { key, storageArea }))
    tabs.add(emitStorage)
    return { window: Object.assign(target, { localStorage }) as unknown as Window, tell: emitStorage, kept }
  }
}
