import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLog } from './read-log.ts'

describe('a log of a case', () => {
  it('has times without a zone in the format of logcat, and starts where the test runner says so', () => {
    const log = readLog(
      [
        '--------- beginning of main',
        '11-22 04:00:00.000  12  12 I System  : boots',
        '11-22 04:00:01.000  12  12 I TestRunner: started: pays(CartTest)',
        '11-22 04:00:02.500  12  12 E Cart    : broke',
      ].join('\n'),
      2026,
    )
    assert.equal(log?.isZoned, false)
    assert.equal(log?.startedAt, Date.parse('2026-11-22T04:00:01Z'))
    assert.deepEqual(
      log?.entries.map(({ isError }) => isError),
      [false, false, true],
    )
  })

  it('keeps the zone of ISO 8601 dates', () => {
    const log = readLog('[2026-11-22T05:00:00.250+01:00] opened\n2026-11-22 04:00:01,5Z failed to pay', 2026)
    assert.equal(log?.isZoned, true)
    assert.deepEqual(
      log?.entries.map(({ at, isError, text }) => [at - Date.parse('2026-11-22T04:00:00Z'), isError, text]),
      [
        [250, false, 'opened'],
        [1500, true, 'failed to pay'],
      ],
    )
  })

  it('lists the requests of a HAR file', () => {
    const entry = (url: string, status: number) => ({
      startedDateTime: '2026-11-22T04:00:00Z',
      time: 12.4,
      request: { method: 'GET', url },
      response: { status },
    })
    const har = { log: { entries: [entry('https://a.example/', 200), entry('https://b.example/', 503), 7] } }
    assert.deepEqual(
      readLog(JSON.stringify(har), 2026)?.entries.map(({ text, isError }) => [text, isError]),
      [
        ['GET https://a.example/ → 200, 12 ms', false],
        ['GET https://b.example/ → 503, 12 ms', true],
      ],
    )
  })

  it('lists the messages of a transcript of the channel', () => {
    const lines = [
      { date: '2026-11-22T04:00:00Z', direction: 'sent', kind: 'request', id: 1, name: 'count' },
      { date: '2026-11-22T04:00:01Z', direction: 'received', kind: 'response', id: 1, name: 'count', content: [2] },
      { date: '2026-11-22T04:00:02Z', kind: 'lost', detail: 'the app was killed' },
    ]
    const log = readLog(lines.map((line) => JSON.stringify(line)).join('\n'), 2026)
    assert.deepEqual(
      log?.entries.map(({ text }) => text),
      ['→ request count', '← response count [2]', 'lost the app was killed'],
    )
  })

  it('is not read when it has no times or is broken', () => {
    for (const text of [
      '',
      'hello\nworld',
      '{"log":{"entries":[',
      '{"log":{"entries":7}}',
      '{"date":1',
      '\0'.repeat(99),
    ]) {
      assert.equal(readLog(text, 2026), undefined)
    }
  })
})
