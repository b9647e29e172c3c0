import type { AgentInputItem } from '@openai/agents'
import type { Engine, StoredRun } from '../../engine/api/engine.ts'

type Input = string | AgentInputItem[]

/** The point from which a run continues: its input if it has not stopped yet, otherwise the SDK's state. */
export type Kept = { input: Input } | { state: string }

/** The stored part of one run: its input before the first question, and its state from the first stop on. */
export class StoredAgentRun {
  readonly #engine: Engine
  readonly #run: StoredRun
  /** The number of writes of the stored run, as this process last read or wrote it. */
  #writes = 0
  #fresh: Input | undefined
  #keeping: Promise<void> | undefined

  constructor(engine: Engine, run: StoredRun) {
    this.#engine = engine
    this.#run = run
  }

  async read(): Promise<Kept | undefined> {
    const kept = await this.#engine.readState(this.#run)
    if (!kept) return undefined
    this.#writes = kept.writes
    return parsed(kept.text)
  }

  /** Notes the input of the run. It is not stored until a tool may ask, because most runs ask no questions. */
  begin(input: Input | undefined): void {
    this.#fresh = input
  }

  /**
   * Stores the input before the first question is asked. If the process ends before the run stops, another process
   * starts the run again after the answer.
   */
  async keepInput(): Promise<void> {
    if (this.#fresh === undefined) return
    this.#keeping ??= this.#write(JSON.stringify({ holdpointInput: this.#fresh })).then(() => {})
    await this.#keeping
  }

  /** Stores the state at which the run stopped. Returns the state that counts: another process may have stored one before. */
  async stop(state: string): Promise<string> {
    for (;;) {
      if (await this.#write(state)) return state
      const before = this.#writes
      const kept = await this.read()
      if (kept && 'state' in kept) return kept.state
      // Only an input was stored meanwhile. A state replaces it, so try again with the new number of writes.
      if (this.#writes === before) return state
    }
  }

  async #write(text: string): Promise<boolean> {
    const written = await this.#engine.writeState(this.#run, { text, writes: this.#writes })
    if (written) this.#writes++
    return written
  }
}

function parsed(text: string): Kept {
  const { holdpointInput: input } = JSON.parse(text) as { holdpointInput?: Input }
  return input === undefined ? { state: text } : { input }
}
