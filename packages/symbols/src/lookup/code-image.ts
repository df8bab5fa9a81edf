import type { CodePlace } from '../dwarf/code-place.ts'
import type { FindSection } from '../dwarf/debug-sections.ts'
import type { FilePart } from '../bytes/file-part.ts'
import type { SymbolRanges } from './symbol-ranges.ts'

/** What a lookup file is built from: the debug information of a Mach-O or an ELF image. */
export interface CodeImage extends CodePlace {
  architecture: string
  /** Upper case with dashes. */
  uuid: string
  findSection: FindSection
  symbols: SymbolRanges
  /** The names of the symbols. */
  symbolStrings: FilePart | undefined
  /** Whether symbols begin with an underscore that is no part of the name, as in Mach-O. */
  hasUnderscores: boolean
  /** Whether the image is a Dart snapshot, whose debug information is in Dart's own words. */
  isDart: boolean
  /** The addresses at which the code of a Dart snapshot begins, of its isolates and of its virtual machine. */
  dart: DartCode
}

/** Offsets from the image's start; undefined for an image that is no Dart snapshot, or does not say. */
export interface DartCode {
  isolate: number | undefined
  vm: number | undefined
}
