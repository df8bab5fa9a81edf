/**
 * The symbols of an image as parallel columns, ordered by start; they never overlap. Offsets count from the image's
 * start; `name` is an offset into the table's strings.
 */
export interface SymbolRanges {
  count: number
  start: Uint32Array
  end: Uint32Array
  name: Uint32Array
  /** The name of the source file, as an offset into the table's strings; 0 for none. Only ELF has them. */
  file?: Uint32Array
}

export const noSymbols: SymbolRanges = {
  count: 0,
  start: new Uint32Array(0),
  end: new Uint32Array(0),
  name: new Uint32Array(0),
}
