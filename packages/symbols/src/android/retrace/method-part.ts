/**
 * Splits the line ranges of an obfuscated name into methods of the source and selects those that a line may stand for.
 */
import {
  areSameRange,
  type MappedRange,
  type Member,
  type MemberMapping,
  toResidualKey,
  toRange,
} from '../members/member-mapping.ts'

/** The ranges of one method of the source. */
export interface MethodPart {
  readonly member: Member | undefined
  readonly ranges: readonly MappedRange[]
}

/** The end of R8's catch-all ranges, `0:65535`. */
const maxLine = 65_535

/** Splits the ranges where the outermost method changes, because overloads may share an obfuscated name. */
export function partitionByMethod({ ranges, methods }: MemberMapping): MethodPart[] {
  const toPart = (ranges: readonly MappedRange[]): MethodPart => {
    const last = ranges.at(-1)
    return { member: last && methods.get(toResidualKey(last)), ranges }
  }
  let index = endOfStack(ranges, 0)
  if (keyOf(ranges[index - 1]) === keyOf(ranges.at(-1))) return [toPart(ranges)]
  const parts: MethodPart[] = []
  let start = 0
  while (index < ranges.length) {
    const end = endOfStack(ranges, index)
    if (keyOf(ranges[index - 1]) !== keyOf(ranges[end - 1])) {
      parts.push(toPart(ranges.slice(start, index)))
      start = index
    }
    index = end
  }
  return [...parts, toPart(ranges.slice(start))]
}

/** The end of the inline stack that begins at `start`. */
function endOfStack(ranges: readonly MappedRange[], start: number): number {
  let at = start
  while (at + 1 < ranges.length && ranges[at]?.minified && areSameRange(ranges[at]?.minified, ranges[at + 1]?.minified))
    at++
  return at + 1
}

function keyOf(range: MappedRange | undefined): string | undefined {
  return range?.signature.key
}

/**
 * Selects the parts that may contain `line`. Also returns the line that decides: another one if the frame is the call
 * of an outline at `outlineLine`. Returns `undefined` if no part contains the line.
 */
export function narrowByLine(
  parts: readonly MethodPart[],
  line: number | undefined,
  outlineLine: number | undefined,
): { parts: MethodPart[]; line: number | undefined } | undefined {
  if (line !== undefined && line > 0) {
    const found =
      select(parts, ({ ranges }) => rangesOfLine(ranges, line, false), line, outlineLine) ??
      select(parts, ({ ranges }) => ranges.filter((it) => it.minified === undefined), line, outlineLine)
    return found
  }
  const found = select(parts, ({ ranges }) => rangesOfLine(ranges, 0, true), line, outlineLine)
  if (found) return found
  // The trace has no line number and no range covers the whole method, but the method itself is known.
  return { parts: parts.map((part) => (isCatchAll(part) ? part : withoutRanges(part))), line }
}

function select(
  parts: readonly MethodPart[],
  selectRanges: (part: MethodPart) => readonly MappedRange[],
  line: number | undefined,
  outlineLine: number | undefined,
): { parts: MethodPart[]; line: number | undefined } | undefined {
  const selected: MethodPart[] = []
  for (const part of parts) {
    const ranges = selectRanges(part)
    if (ranges.length === 0) continue
    const callsite = outlineLine === undefined ? undefined : ranges.at(-1)?.callsite
    if (callsite && outlineLine !== undefined) {
      const inlined = callsite.get(outlineLine) ?? outlineLine
      return select(parts, ({ ranges }) => rangesOfLine(ranges, inlined, false), inlined, undefined)
    }
    selected.push({ member: part.member, ranges })
  }
  return selected.length === 0 ? undefined : { parts: selected, line }
}

/**
 * Returns the first range that contains `line` and the following ranges with the same lines. If there is none and
 * `takeGeneral` is set, returns the first range without line numbers.
 */
function rangesOfLine(ranges: readonly MappedRange[], line: number, takeGeneral: boolean): readonly MappedRange[] {
  const start = ranges.findIndex(({ minified }) => minified && minified.from <= line && line <= minified.to)
  if (start !== -1) {
    let end = start + 1
    while (end < ranges.length && areSameRange(ranges[start]?.minified, ranges[end]?.minified)) end++
    return ranges.slice(start, end)
  }
  const general = takeGeneral ? ranges.find(({ minified }) => minified === undefined) : undefined
  return general ? [general] : []
}

function isCatchAll({ ranges }: MethodPart): boolean {
  const minified = ranges[0]?.minified
  return ranges.length === 1 && minified?.from === 0 && minified.to === maxLine
}

/** Replaces the ranges by one that only names the method. */
function withoutRanges({ member, ranges }: MethodPart): MethodPart {
  const last = ranges.at(-1)
  if (!last) return { member, ranges }
  const signature = member?.signature ?? last.signature
  const range = toRange({ minified: undefined, original: undefined, signature, obfuscated: last.obfuscated })
  return { member, ranges: [range] }
}
