/**
 * One library that can ask a person before a tool runs, set up as its own documents show. What it asks with (a model that
 * calls a tool, a graph, a protocol) is its own; what it is asked for here is the same for all: `effect` runs when
 * somebody said yes.
 */
export interface ResumePeer {
  name: string
  /** As installed; Holdpoint has none. */
  version?: string
  /** Where a question waits. */
  store: string
  /** The name of the library alone, if this is Holdpoint's bridge to it. */
  bridges?: string
  /** The store of the library alone that the bridge is compared with. All of them without it. */
  besides?: string
  /** The commits of the bridge's store so far. */
  commits?(): number
  /** Goes through everything that comes before an answer. `effect` is what the tool does. */
  ask(effect: () => void): Promise<Answer>
  /** What its documents leave to the host when an answer comes twice. */
  note?: string
  close?(): Promise<unknown>
}

/**
 * Says yes, as the request of one tab would; the same tab again is a request that was repeated. Ends when the library
 * has nothing more to do for it, and rejects when the library says that this answer does not count.
 */
export type Answer = (tab: number) => Promise<unknown>

/** What every tool here is called with. */
export const FILES = ['drafts/notes.md', 'drafts/old-plan.md', 'drafts/scratch.txt']
export const PROMPT = 'Delete 3 files?'

/** What a question has to outlive: the class that somebody is compared in. */
export type Kept = 'process' | 'file' | 'server'

/** Everybody who can be measured on this machine. With two nodes: those whose store two can share. */
export type EveryPeer = (nodes: 1 | 2) => Promise<{ peers: Map<ResumePeer, Kept>; close(): Promise<void> }>

/** Who is not measured, or not as they are today. */
export interface LeftOut {
  name: string
  why: string
}

/** A peer that is measured with many questions at once, and its name in a plot. */
export interface LoadedPeer {
  name: string
  kept: Kept
  peer: ResumePeer
}
