/** Reads ACRA's report: a flat set of fields, as JSON, as a form, or as a part of a multipart body. */
import { emptyDelivery, noDetails, type ReadDelivery } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { readTrace } from '../android/java-trace.ts'
import { readReactNativeTrace } from '../javascript/stack-report.ts'
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
] as const

type Fields = Map<string, unknown>

const longestTrace = 1_000_000
const maxFormFields = 1000

/** @throws {CrashesError} */
export function readAcraReport(body: Buffer, contentType: string): ReadDelivery {
  const fields = parseFields(body, contentType)
  const reportId = toText(fields.get('REPORT_ID'), 64)
  const trace = toText(fields.get('STACK_TRACE'), longestTrace)
  if (reportId === null && trace === null)
    throw new CrashesError('malformed', 'It has no REPORT_ID and no STACK_TRACE.')
  const isSilent = String(fields.get('IS_SILENT')).toLowerCase() === 'true'
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
    ...(readReactNativeTrace(trace ?? '') ??
      readTrace(trace ?? '', { isTrace: true }) ?? { exceptions: [], frames: [] }),
    images: [],
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    platform: 'android',
    ...noDetails,
  })
  return delivery
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
