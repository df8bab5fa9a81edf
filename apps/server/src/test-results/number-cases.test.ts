import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { numberCases, type NumberedRow } from './number-cases.ts'
import { failed, passed } from './outcome.ts'

describe('Numbering the cases of a test', () => {
  const toRow = (number: number, values: Partial<NumberedRow> = {}): NumberedRow => {
    const place = { reportId: 1, number, runAttempt: 1, shard: 0 }
    return { ...place, isMarked: false, outcome: passed, failedAttempts: 0, ...values }
  }

  /** Numbers rows, and counts how many of them are read before the first and between two turns. */
  function number(rows: NumberedRow[], greenCases: number | null) {
    let read = 0
    const reading = function* () {
      for (const row of rows) {
        read++
        yield row
      }
    }
    const work = numberCases(reading(), greenCases)
    const readInTurns: number[] = []
    for (;;) {
      const step = work.next()
      readInTurns.push(read)
      read = 0
      if (step.done === true) return { readInTurns, placements: step.value }
    }
  }

  it('reads five thousand rows in a turn, and has as many turns as its later steps need', () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => toRow(index + 1))
    const { readInTurns, placements } = number(rows, null)
    assert.deepEqual(
      readInTurns.filter((count) => count > 0),
      [5000, 5000, 5000, 5000, 5000, 5000],
    )
    assert.ok(readInTurns.length >= 5 * 5, `${readInTurns.length} turns`)
    assert.deepEqual(
      placements.map(({ caseNumber }) => caseNumber),
      rows.map(({ number: own }) => own),
    )
  })

  it('puts shards before reports, and lets a later attempt replace the cases that it has', () => {
    const rows = [
      toRow(1, { reportId: 1, shard: 2 }),
      toRow(1, { reportId: 2, shard: 1 }),
      toRow(2, { reportId: 2, shard: 1, outcome: failed, failedAttempts: 1 }),
      toRow(1, { reportId: 3, shard: 1, runAttempt: 2 }),
    ]
    assert.deepEqual(
      number(rows, null).placements.map(({ caseNumber }) => caseNumber),
      [3, null, 2, 1],
    )
  })

  it('takes rows beyond those of the last green run for retries of failed ones', () => {
    const lost = { outcome: failed, failedAttempts: 1 }
    const { placements } = number([toRow(1, lost), toRow(2, lost), toRow(3), toRow(4)], 2)
    assert.deepEqual(
      placements.map(({ caseNumber, retriedBy, isFlaky }) => [caseNumber, retriedBy?.number ?? null, isFlaky]),
      [
        [null, 3, false],
        [null, 3, false],
        [1, null, true],
        [2, null, false],
      ],
    )
  })
})
