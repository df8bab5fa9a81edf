/** Compares native crashes of the shared fixtures, as tombstones and as events of Sentry, with their truth. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findFixtures } from '../test/fixtures.ts'
import type { ReportedFrame } from './crash.ts'
import { readReport } from './index.ts'
import { readEnvelope } from './sentry/read-envelope.ts'

interface TruthEvent {
  file: string
  gunzip?: boolean
  protocol: string
  message?: string | null
  osVersion?: string
  exceptionTypes: string[] | null
  frames: { module?: string | null; imageOffset?: string | null; function?: string | null; buildId?: string | null }[]
}

const folder = findFixtures('native')

describe('native crashes', { skip: folder === undefined && 'the shared fixtures are not there' }, () => {
  if (folder === undefined) return
  const truth: { events: TruthEvent[] } = JSON.parse(readFileSync(join(folder, 'events-truth.json'), 'utf8'))
  const native = truth.events.filter(({ file }) => /tombstone|sentry-native/.test(file))
  for (const event of native) {
    it(`are read from ${event.file} as the truth says`, () => {
      const bytes = readFileSync(join(folder, event.file))
      const body = event.gunzip === true ? gunzipSync(bytes) : bytes
      const options = { shortVersion: null, version: null, installId: null }
      const delivery = event.protocol === 'raw' ? readReport(body, options) : readEnvelope(body)
      const [crash] = delivery.crashes
      assert.ok(crash)
      assert.deepEqual(
        crash.exceptions.map(({ type }) => type),
        event.exceptionTypes,
      )
      if (event.message !== undefined) assert.equal(crash.exceptions[0]?.message ?? null, event.message)
      if (event.osVersion !== undefined) assert.equal(crash.osVersion, event.osVersion)
      assert.equal(crash.frames.length, event.frames.length)
      const buildIds = new Map(crash.images.map(({ uuid, codeId }) => [uuid, codeId]))
      for (const [place, expected] of event.frames.entries()) {
        const frame: ReportedFrame | undefined = crash.frames[place]
        assert.ok(frame)
        if (typeof expected.imageOffset === 'string')
          assert.equal(frame.imageOffset, Number(expected.imageOffset), String(place))
        if ((expected.function ?? null) !== null) assert.equal(frame.function, expected.function)
        if ((expected.module ?? null) !== null) assert.equal(frame.module, expected.module)
        const buildId: string | null | undefined = frame.imageUuid === null ? null : buildIds.get(frame.imageUuid)
        if ((buildId ?? null) !== null) assert.equal(buildId, expected.buildId)
      }
    })
  }
})
