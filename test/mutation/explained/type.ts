/** A mutant that survives and is no hole: what was there, by its beginning, and what was done to it. */
export interface Explained {
  file: string
  kind: string
  was: string
  why: string
}
