/** Where an image has its code. Offsets count from `textAddress`. */
export interface CodePlace {
  textAddress: number
  /**
   * The ranges of offsets [low, high) that can hold code, in ascending order; undefined if nothing is known. Linkers
   * leave the debug information of functions that they dropped, at address 0 or 1: it describes no code.
   */
  codeRanges: readonly CodeRange[] | undefined
}

export interface CodeRange {
  low: number
  high: number
}

/** Whether an offset can hold code. */
export function isCodeOffset({ codeRanges }: CodePlace, offset: number): boolean {
  return codeRanges === undefined || codeRanges.some(({ low, high }) => low <= offset && offset < high)
}

/** The parts of a range of offsets that can hold code. */
export function clipToCode({ codeRanges }: CodePlace, range: CodeRange): CodeRange[] {
  if (codeRanges === undefined) return [range]
  return codeRanges
    .map(({ low, high }) => ({ low: Math.max(low, range.low), high: Math.min(high, range.high) }))
    .filter(({ low, high }) => low < high)
}
