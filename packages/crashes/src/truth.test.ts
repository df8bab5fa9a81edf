/** Compares the shared payloads of real SDKs with what an independent reader found in them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findFixtures } from '../test/fixtures.ts'
import { CrashesError, readReport } from './index.ts'
import { readAcraReport } from './acra/read-report.ts'
import type { ReadCrash, ReadDelivery } from './crash.ts'
import { readEnvelope, readStoreBody } from './sentry/read-envelope.ts'
import { readLogs } from './app-center/read-logs.ts'

interface ExpectedDelivery {
  protocol: string
  crashes: ExpectedCrash[]
  sessions: number
  dropped: string[]
  refused?: boolean
  refusable?: boolean
  unread?: string
}

/** Ignores keys that the expected values do not contain. */
interface ExpectedCrash {
  [key: string]: unknown
  topFrame?: Record<string, unknown> | null
}

const readers: Record<string, (body: Buffer, file: string) => ReadDelivery> = {
  'sentry-envelope': readEnvelope,
  'sentry-store': readStoreBody,
  appcenter: (body) => readLogs(body, { installId: null }),
  'acra-json': (body) => readAcraReport(body, 'application/json'),
  'acra-form': (body) => readAcraReport(body, 'application/x-www-form-urlencoded'),
  'acra-multipart': (body) => readAcraReport(body, 'multipart/form-data; boundary=%&ACRA_REPORT_DIVIDER&%'),
  raw: (body) => readReport(body, { shortVersion: null, version: null, installId: null }),
}

/** Files that the independent reader refused, and that are read since its values were recorded. */
const readByNow = new Set(['android/tombstone.pb'])

const folder = findFixtures()

describe('payloads of real SDKs', { skip: folder === undefined && 'the shared fixtures are not there' }, () => {
  if (folder === undefined) return
  const truth: Record<string, ExpectedDelivery> = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'))
  for (const [file, expected] of Object.entries(truth)) {
    it(`reads ${file} as the independent reader does`, () => {
      const read = () => readers[expected.protocol]?.(readFileSync(join(folder, file)), file)
      if (expected.refused === true && !readByNow.has(file)) {
        assert.throws(read, CrashesError)
        return
      }
      // The payload itself is broken, so that what can be read of it is not judged.
      if (expected.unread !== undefined) {
        tryRead(read)
        return
      }
      const delivery = expected.refusable === true ? tryRead(read) : read()
      if (!delivery) return
      if (readByNow.has(file)) return
      assert.equal(delivery.sessions.length, expected.sessions)
      assert.deepEqual(delivery.dropped, expected.dropped)
      assert.equal(delivery.crashes.length, expected.crashes.length)
      for (const [index, crash] of delivery.crashes.entries()) compare(crash, expected.crashes[index] ?? {})
    })
  }
})

function tryRead(read: () => ReadDelivery | undefined): ReadDelivery | undefined {
  try {
    return read()
  } catch (error) {
    assert.ok(error instanceof CrashesError)
    return undefined
  }
}

function compare(crash: ReadCrash, { topFrame, ...expected }: ExpectedCrash): void {
  const seen: Record<string, unknown> = {
    source: crash.source,
    sourceId: crash.sourceId,
    kind: crash.kind,
    fatal: crash.isFatal,
    exceptionTypes: crash.exceptions.map(({ type }) => type),
    frameCount: crash.frames.length,
    images: [...new Set(crash.images.map(({ uuid }) => uuid ?? ''))].toSorted(),
    device: crash.deviceModel,
    osName: crash.osName,
    osVersion: crash.osVersion,
    package: crash.package,
    shortVersion: crash.shortVersion,
    version: crash.version,
  }
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(seen[key], value, key)
  if (topFrame === undefined) return
  const [top] = crash.frames
  if (topFrame === null) return assert.equal(top, undefined)
  const frame: Record<string, unknown> = {
    ...top,
    imageOffset: toHexadecimal(top?.imageOffset),
    address: toHexadecimal(top?.address),
  }
  for (const [key, value] of Object.entries(topFrame)) if (value !== null) assert.equal(frame[key], value, key)
}

function toHexadecimal(value: number | bigint | null | undefined): string | null {
  return value === null || value === undefined ? null : `0x${value.toString(16)}`
}
