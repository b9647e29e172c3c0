/** Returned by a delivery that is not to be made yet. It is made again later, and this attempt does not count. */
export class Later {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}
