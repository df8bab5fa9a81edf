/** Reads ACRA's report: a flat set of fields, as JSON, as a form, or as a part of a multipart body. */
import { emptyDelivery, noDetails, type ReadDelivery } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { readTrace } from '../android/java-trace.ts'
import { readReactNativeTrace } from '../javascript/stack-report.ts'
import { toCustomGroup } from '../json/custom-fields.ts'
import { toInstant, toLabel, toText } from '../json/json-value.ts'
import { parseJsonObject } from '../json/parse-json.ts'
import { findReportPart } from './multipart.ts'

/** The fields that are read. All others are ignored. */
const readFields = [
  'REPORT_ID',
  'STACK_TRACE',
  'IS_SILENT',
  'PACKAGE_NAME',
  'APP_VERSION_NAME',
  'APP_VERSION_CODE',
  'PHONE_MODEL',
  'ANDROID_VERSION',
  'INSTALLATION_ID',
  'USER_CRASH_DATE',
  'CUSTOM_DATA',
] as const

type Fields = Map<string, unknown>

const longestTrace = 1_000_000
const longestCustomData = 100_000
const maxFormFields = 1000

/** @throws {CrashesError} */
export function readAcraReport(body: Buffer, contentType: string): ReadDelivery {
  const fields = parseFields(body, contentType)
  const reportId = toText(fields.get('REPORT_ID'), 64)
  const trace = toText(fields.get('STACK_TRACE'), longestTrace)
  if (reportId === null && trace === null)
    throw new CrashesError('malformed', 'It has no REPORT_ID and no STACK_TRACE.')
  const isSilent = String(fields.get('IS_SILENT')).toLowerCase() === 'true'
  const script = readReactNativeTrace(trace ?? '')
  const delivery = emptyDelivery()
  delivery.crashes.push({
    source: 'acra',
    sourceId: reportId ?? '',
    kind: isSilent ? 'handled' : 'crash',
    isFatal: !isSilent,
    occurredAt: toInstant(fields.get('USER_CRASH_DATE')),
    package: toText(fields.get('PACKAGE_NAME')),
    shortVersion: toLabel(fields.get('APP_VERSION_NAME')),
    version: toLabel(fields.get('APP_VERSION_CODE')),
    deviceModel: toText(fields.get('PHONE_MODEL')),
    osName: 'Android',
    osVersion: toLabel(fields.get('ANDROID_VERSION')),
    installId: toText(fields.get('INSTALLATION_ID')),
    ...(script ?? readTrace(trace ?? '', { isTrace: true }) ?? { exceptions: [], frames: [] }),
    images: [],
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    platform: script ? 'javascript' : 'android',
    ...noDetails,
    customData: toCustomGroup('CUSTOM_DATA', readCustomData(fields.get('CUSTOM_DATA'))),
  })
  return delivery
}

/** An object in JSON; in a form the same as text, or lines of `name = value`. */
function readCustomData(value: unknown): unknown {
  const text = toText(value, longestCustomData)
  if (text === null) return value
  if (text.trimStart().startsWith('{')) return readObject(text)
  const pairs = text.split('\n').map((line) => /^([^=]{1,200}?)\s*=\s*(.*)$/.exec(line.trim()))
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1], pair[2]]] : [])))
}

/** Custom data that is damaged does not cost the crash. */
function readObject(text: string): unknown {
  try {
    return parseJsonObject(Buffer.from(text))
  } catch (error) {
    if (error instanceof CrashesError) return undefined
    throw error
  }
}

function parseFields(body: Buffer, contentType: string): Fields {
  if (/^multipart\/form-data/i.test(contentType)) return parseFields(findReportPart(body, contentType), '')
  if (startsWithBrace(body)) {
    const report = parseJsonObject(body)
    return new Map(readFields.map((name) => [name, Object.hasOwn(report, name) ? report[name] : undefined]))
  }
  return parseForm(body.toString('utf8'))
}

function startsWithBrace(body: Buffer): boolean {
  return /^\uFEFF?\s{0,100}[{[]/.test(body.toString('utf8', 0, 200))
}

function parseForm(text: string): Fields {
  const fields: Fields = new Map()
  const wanted = new Set<string>(readFields)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > maxFormFields) throw new CrashesError('too-large', `It has more than ${maxFormFields} fields.`)
    if (wanted.has(name)) fields.set(name, value)
  }
  return fields
}
