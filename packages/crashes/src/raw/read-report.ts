/** Reads a crash report that was uploaded as a file. Its text decides about the format. */
import { createHash } from 'node:crypto'
import { detectAndroidForm, detectPlatform, hasAppleLine, looksLikeDartTrace, SymbolsError } from '@fairlead/symbols'
import type { AndroidReport } from '../android/android-report.ts'
import { readAndroidText } from '../android/text-report.ts'
import { readTombstoneBytes } from '../android/tombstone.ts'
import { readAppleReport } from '../apple/read-apple-report.ts'
import { emptyDelivery, noDetails, type ReadCrash, type ReadDelivery } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { readDartText } from '../dart/trace-report.ts'
import { parseJsonObject } from '../json/parse-json.ts'
import { readJavaScriptText } from '../javascript/stack-report.ts'
import { isDiagnosticPayload, readDiagnostics } from '../metric-kit/read-diagnostics.ts'

/** Facts that the file does not contain, taken from the headers of the request. */
export interface ReportOptions {
  shortVersion: string | null
  version: string | null
  installId: string | null
}

/** @throws {CrashesError} no-crash, malformed, too-large */
export function readReport(body: Buffer, options: ReportOptions): ReadDelivery {
  const digest = createHash('sha256').update(body).digest('hex')
  const delivery = emptyDelivery()
  const crashes = readCrashes(body, digest)
  delivery.crashes = crashes.map((crash) => ({
    ...crash,
    shortVersion: crash.shortVersion ?? options.shortVersion,
    version: crash.version ?? options.version,
    installId: options.installId ?? crash.installId,
  }))
  if (crashes.length === 0) throw new CrashesError('no-crash')
  return delivery
}

function readCrashes(body: Buffer, digest: string): ReadCrash[] {
  const tombstone = readTombstoneBytes(body)
  if (tombstone) return [toAndroidCrash(tombstone, digest)]
  // A log may hold zero bytes, with which JSON could not be read.
  const text = body
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
  const isApple = hasAppleLine(text)
  // A tombstone of Flutter may quote such a trace as the reason why it was aborted, and is read with all its threads.
  if (looksLikeDartTrace(text) && !isApple && detectAndroidForm(text) !== 'native') {
    return [readDartText(text, digest)]
  }
  // A log of Android may begin with a line of JSON.
  const isLog = detectPlatform(text) === 'android' && detectAndroidForm(text) !== undefined
  if (text.trimStart().startsWith('{') && !isLog) return readJsonReport(text, digest)
  const script = isApple || detectPlatform(text) === 'apple' ? undefined : readJavaScriptText(text, digest)
  if (script) return [script]
  const android = readAndroidText(text)
  if (isApple && (!android || android.kind === 'crash')) return [requireFrames(readApple(text, digest))]
  if (!android) return []
  return [toAndroidCrash(android, digest)]
}

function toAndroidCrash(report: AndroidReport, digest: string): ReadCrash {
  return {
    source: 'android',
    sourceId: digest,
    isFatal: true,
    shortVersion: null,
    version: null,
    deviceModel: null,
    osName: 'Android',
    installId: null,
    images: [],
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    platform: 'android',
    ...noDetails,
    ...report,
  }
}

/** Only MetricKit's payload parses as one JSON document; an `.ips` report consists of two. */
function readJsonReport(text: string, digest: string): ReadCrash[] {
  let isPayload = false
  try {
    const document = parseJsonObject(text)
    isPayload = isDiagnosticPayload(document)
    if (isPayload) return readDiagnostics(document, digest)
  } catch (error) {
    if (!(error instanceof CrashesError) || isPayload) throw error
  }
  return [requireFrames(readApple(text, digest))]
}

function readApple(text: string, digest: string): ReadCrash {
  try {
    return readAppleReport(text, digest)
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    throw new CrashesError(error.code === 'too-large' ? 'too-large' : 'no-crash', error.message, { cause: error })
  }
}

/** Rejects a report that has neither a frame nor an exception, because there is nothing to group it by. */
function requireFrames(crash: ReadCrash): ReadCrash {
  if (crash.frames.length === 0 && crash.exceptions.length === 0) {
    throw new CrashesError('no-crash', 'It names neither an exception nor a thread that crashed.')
  }
  return crash
}
