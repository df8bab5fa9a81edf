import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toFirstNote } from '../src/builds/first-note.ts'

void it('takes the first line of release notes that says something, without the marks of Markdown', () => {
  const cases: [notes: string | null, expected: string | null][] = [
    [null, null],
    ['', null],
    [' \n---\n', null],
    ['## New\n\n- Charts', 'New'],
    ['\r\n- **Maps** keep their _place_\r\n- more', 'Maps keep their place'],
    ['- [x] `open_chart` works', 'open_chart works'],
    ['> 1. see [the docs](https://docs.example)', 'see the docs'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
    ['x'.repeat(500), `${'x'.repeat(160)}…`],
  ]
  for (const [notes, expected] of cases) assert.equal(toFirstNote(notes), expected)
})

void it('reads hostile notes in a moment', () => {
  const start = process.cpuUsage().user
  toFirstNote('*'.repeat(60_000))
  toFirstNote('[a]('.repeat(15_000))
  toFirstNote('_a'.repeat(30_000))
  assert.ok(process.cpuUsage().user - start < 1_000_000)
})
