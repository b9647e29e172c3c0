/** One thing that must not happen, what stops it, and the tests that show it. */
export interface Line {
  id: string
  /** Who does it, or what goes wrong. */
  against: string
  stops: string
  /** Parts of test titles. Each must be found in the run, and every test that has it must pass. */
  evidence: string[]
}

/** A heading of SECURITY.md and the lines below it. */
export interface Chapter {
  title: string
  lines: Line[]
}

export const line = (id: string, against: string, stops: string, ...evidence: string[]): Line => ({
  id,
  against,
  stops,
  evidence,
})
