import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from '../../bench/android-mapping.ts'
import { CodeRanges } from './code-entries.ts'
import { findInnermost } from './innermost.ts'

interface Range {
  low: number
  high: number
  entry: number
}

/** Creates ranges that lie inside of each other, outer ones first, no two of which begin at the same address. */
function makeNested(random: (limit: number) => number): Range[] {
  const ranges: Range[] = []
  const fill = (low: number, high: number, depth: number) => {
    ranges.push({ low, high, entry: ranges.length + 1 })
    if (depth === 6) return
    let at = low + 1 + random(4)
    while (at < high) {
      const end = Math.min(high, at + 1 + random(high - at))
      fill(at, end, depth + 1)
      at = end + random(3)
    }
  }
  fill(random(4), 80 + random(120), 0)
  return ranges
}

/** The entry at each address, 0 where there is none. */
function listEntries(ranges: readonly Range[]): number[] {
  const given = new CodeRanges()
  for (const { low, high, entry } of ranges) given.push(low, high, entry)
  const found = new CodeRanges()
  findInnermost(given, found)
  const entries = Array.from({ length: 260 }, () => 0)
  for (let at = 0; at < found.count; at++) entries.fill(found.entry[at] ?? 0, found.low[at], found.high[at])
  return entries
}

it('the sweep over nested ranges gives the same entries as the ordered map', () => {
  const random = createRandom(4_127_311)
  for (let round = 0; round < 600; round++) {
    const ranges = makeNested(random)
    const innermost = Array.from({ length: 260 }, () => 0)
    for (const { low, high, entry } of ranges) innermost.fill(entry, low, high)
    assert.deepEqual(listEntries(ranges), innermost)
    // One range that is not nested, at the end, leaves the whole group to the ordered map.
    const last = (ranges[0]?.high ?? 0) - 1
    const byMap = listEntries([...ranges, { low: last, high: last + 5, entry: 9999 }])
    assert.equal(byMap[last + 4], 9999)
    assert.deepEqual(byMap.slice(0, last), innermost.slice(0, last))
  }
})
