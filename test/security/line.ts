/** One thing that must not happen, its defense, and the ids of the tests that show it. */
export interface Line {
  id: string
  /** The attack or the fault. */
  against: string
  stops: string
  /** Ids in test titles: `T1.1`, `T1.2`. Each needs a test in the run, and every test that carries it must pass. */
  evidence: string[]
}

/** A heading of SECURITY.md and the lines below it. */
export interface Chapter {
  title: string
  lines: Line[]
}

/** Declares a line of SECURITY.md whose tests carry the ids `<id>.1` to `<id>.<parts>` in their titles. */
export const line = (id: string, against: string, stops: string, parts: number): Line => ({
  id,
  against,
  stops,
  evidence: Array.from({ length: parts }, (_, index) => `${id}.${index + 1}`),
})
