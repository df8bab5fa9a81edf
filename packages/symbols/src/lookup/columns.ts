/** A column of numbers that grows. */
export class Column {
  values: Uint32Array
  length = 0

  constructor(capacity = 1024) {
    this.values = new Uint32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = new Uint32Array(Math.ceil(this.length * 1.5))
      wider.set(this.values)
      this.values = wider
    }
    this.values[this.length++] = value
  }

  at(index: number): number {
    return this.values[index] as number
  }
}
