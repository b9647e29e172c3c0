import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Entry {
  payload: AdapterPayload
  expiresAt: number
}

/**
 * Stores the data of one OpenID provider. The library's own adapter shares its storage between all providers of a
 * process.
 */
export function memoryAdapter(): new (model: string) => Adapter {
  const entries = new Map<string, Entry>()
  const find = (test: (key: string, payload: AdapterPayload) => boolean) => {
    for (const [key, { payload, expiresAt }] of entries) {
      if (expiresAt <= Date.now()) entries.delete(key)
      else if (test(key, payload)) return payload
    }
    return undefined
  }

  return class implements Adapter {
    readonly #model: string
    constructor(model: string) {
      this.#model = model
    }
    async upsert(id: string, payload: AdapterPayload, expiresIn: number) {
      entries.set(this.#key(id), { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : Infinity })
    }
    async find(id: string) {
      return find((key) => key === this.#key(id))
    }
    async findByUserCode(userCode: string) {
      return find((key, payload) => key.startsWith(`${this.#model} `) && payload.userCode === userCode)
    }
    async findByUid(uid: string) {
      return find((key, payload) => key.startsWith(`${this.#model} `) && payload.uid === uid)
    }
    async consume(id: string) {
      const entry = entries.get(this.#key(id))
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
    }
    async destroy(id: string) {
      entries.delete(this.#key(id))
    }
    async revokeByGrantId(grantId: string) {
      // Each adapter holds one model; the library asks for each.
      for (const [key, { payload }] of entries) {
        if (payload.grantId === grantId && key.startsWith(`${this.#model} `)) entries.delete(key)
      }
    }
    #key(id: string) {
      return `${this.#model} ${id}`
    }
  }
}
