/**
 * Decides which code entry an address belongs to when ranges are nested: the innermost one.
 *
 * Ranges are put into an ordered map in the order of the file, and a new range replaces those that it covers from its
 * start on. LLVM's symbolizer does the same, and it decides between ranges that overlap without being nested (functions
 * that a linker folded into one). If all ranges of a group are properly nested, as they nearly always are, a sweep with
 * a stack gives the same answer in a fraction of the time.
 */
import { outOfRange } from '@fairlead/invariant'
import type { CodeRanges } from './code-entries.ts'
import { lowerBound, upperBound } from '../sorted/search.ts'
import { sortByValue } from '../sorted/sort-by-value.ts'

/**
 * The largest group of overlapping ranges for the exact method. Larger groups are swept, which may choose another
 * entry.
 */
const maxExactGroup = 8192

/** Fills `out` with ranges that do not overlap, in ascending order, each with its innermost entry. */
export function findInnermost(ranges: CodeRanges, out: CodeRanges): void {
  const order = sortByValue(ranges.low, ranges.count)
  out.count = 0
  for (let from = 0; from < order.length;) {
    let end = ranges.high[order[from] ?? outOfRange()] ?? outOfRange()
    let to = from + 1
    for (; to < order.length && (ranges.low[order[to] ?? outOfRange()] ?? outOfRange()) < end; to++) {
      end = Math.max(end, ranges.high[order[to] ?? outOfRange()] ?? outOfRange())
    }
    const group = order.subarray(from, to)
    const before = out.count
    if (!sweep(ranges, group, out) && group.length <= maxExactGroup) {
      out.count = before
      insertInOrder(ranges, group, out)
    }
    from = to
  }
}

/** Returns whether the ranges were properly nested, with outer ones first in the file. */
function sweep({ low, high, entry }: CodeRanges, group: Uint32Array, out: CodeRanges): boolean {
  const stack: number[] = []
  let position = 0
  let nested = true
  const emit = (to: number) => {
    const top = stack.at(-1)
    if (top !== undefined && to > position) {
      out.push(position, to, entry[top] ?? outOfRange())
    }
    position = Math.max(position, to)
  }
  for (const range of group) {
    const start = low[range] ?? outOfRange()
    while (stack.length > 0 && (high[stack.at(-1) ?? outOfRange()] ?? outOfRange()) <= start) {
      emit(high[stack.at(-1) ?? outOfRange()] ?? outOfRange())
      stack.pop()
    }
    const top = stack.at(-1)
    if (top !== undefined && ((high[range] ?? outOfRange()) > (high[top] ?? outOfRange()) || range < top))
      nested = false
    emit(start)
    stack.push(range)
  }
  while (stack.length > 0) {
    emit(high[stack.at(-1) ?? outOfRange()] ?? outOfRange())
    stack.pop()
  }
  return nested
}

function insertInOrder(ranges: CodeRanges, group: Uint32Array, out: CodeRanges): void {
  const starts: number[] = []
  const ends: number[] = []
  const entries: number[] = []
  const put = (start: number, end: number, entry: number) => {
    const at = lowerBound(starts, start)
    const replaces = starts[at] === start ? 1 : 0
    starts.splice(at, replaces, start)
    ends.splice(at, replaces, end)
    entries.splice(at, replaces, entry)
  }
  for (const range of group.toSorted()) {
    const low = ranges.low[range] ?? outOfRange()
    const high = ranges.high[range] ?? outOfRange()
    const before = upperBound(starts, low) - 1
    if (before >= 0 && low < (ends[before] ?? outOfRange())) {
      const [start, end, entry] = [
        starts[before] ?? outOfRange(),
        ends[before] ?? outOfRange(),
        entries[before] ?? outOfRange(),
      ]
      if (low > start) ends[before] = low
      if (high < end) put(high, end, entry)
    }
    put(low, high, ranges.entry[range] ?? outOfRange())
  }
  for (const [index, start] of starts.entries()) {
    const end = Math.min(ends[index] ?? outOfRange(), starts[index + 1] ?? Number.POSITIVE_INFINITY)
    if (start < end) out.push(start, end, entries[index] ?? outOfRange())
  }
}
