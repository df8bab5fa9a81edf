/** Formats an `.ips` report as text, with the words and in the order of Console and Xcode. */
import type { ReportFrame, ReportImage, ReportThread } from './crash-report.ts'
import { toHexadecimal } from './frame-line.ts'
import { type JsonObject, toInteger, toList, toObject, toText } from './json-value.ts'

type Line = string | ReportFrame

export function toIpsLines(
  header: JsonObject,
  body: JsonObject,
  threads: readonly ReportThread[],
  images: readonly ReportImage[],
): Line[] {
  return [
    ...toHeading(header, body),
    '',
    ...toReason(body),
    '',
    ...threads.flatMap((thread, index) => [...toThreadLines(thread, index), '']),
    ...(images.length > 0 ? ['Binary Images:', ...images.map(toImageLine), ''] : []),
  ]
}

function toHeading(header: JsonObject, body: JsonObject): string[] {
  const bundle = toObject(body['bundleInfo'])
  const os = toObject(body['osVersion'])
  const version = toText(bundle['CFBundleShortVersionString']) ?? toText(header['app_version'])
  const build = toText(bundle['CFBundleVersion']) ?? toText(header['build_version'])
  const train = toText(os['train'])
  return labelled([
    ['Incident Identifier:', toText(body['incident']) ?? toText(header['incident_id'])],
    ['CrashReporter Key:', toText(body['crashReporterKey'])],
    ['Hardware Model:', toText(body['modelCode'])],
    ['Process:', withNumber(toText(body['procName']) ?? toText(header['name']), body['pid'])],
    ['Path:', toText(body['procPath'])],
    ['Identifier:', toText(bundle['CFBundleIdentifier']) ?? toText(header['bundleID'])],
    ['Version:', version !== null && build !== null ? `${version} (${build})` : (version ?? build)],
    ['Code Type:', toText(body['cpuType'])],
    ['Role:', toText(body['procRole'])],
    ['Parent Process:', withNumber(toText(body['parentProc']), body['parentPid'])],
    ['Date/Time:', toText(body['captureTime']) ?? toText(header['timestamp'])],
    ['Launch Time:', toText(body['procLaunch'])],
    ['OS Version:', train === null ? toText(header['os_version']) : `${train} (${toText(os['build']) ?? '?'})`],
    ['Bug Type:', toText(header['bug_type']) ?? toText(body['bug_type'])],
  ])
}

function toReason(body: JsonObject): string[] {
  const exception = toObject(body['exception'])
  const termination = toObject(body['termination'])
  const type = toText(exception['type'])
  const signal = toText(exception['signal'])
  const reason = [toText(termination['namespace']), toInteger(termination['code']), toText(termination['indicator'])]
  const faulting = toInteger(body['faultingThread'])
  const information = Object.values(toObject(body['asi'])).flatMap((value) => toList(value).map(toText))
  return [
    ...labelled([
      ['Exception Type:', type !== null && signal !== null ? `${type} (${signal})` : type],
      ['Exception Subtype:', toText(exception['subtype'])],
      ['Exception Codes:', toText(exception['codes'])],
      [
        'Termination Reason:',
        reason.some((part) => part !== null) ? reason.filter((part) => part !== null).join(' ') : null,
      ],
      ['Triggered by Thread:', faulting === null ? null : String(faulting)],
    ]),
    ...(information.length > 0
      ? ['', 'Application Specific Information:', ...information.filter((line) => line !== null)]
      : []),
  ]
}

function toThreadLines(thread: ReportThread, index: number): Line[] {
  if (thread.name === 'Last Exception Backtrace') return ['Last Exception Backtrace:', ...thread.frames]
  const name = thread.name === null ? [] : [`Thread ${index} name:  ${thread.name}`]
  return [...name, `Thread ${index}${thread.crashed ? ' Crashed' : ''}:`, ...thread.frames]
}

function toImageLine(image: ReportImage): string {
  const range = Number.isNaN(image.base)
    ? '???'
    : `${toHexadecimal(image.base).padStart(18)} - ${toHexadecimal(Math.max(image.base, image.end - 1)).padStart(18)}`
  return `${range} ${image.name} ${image.architecture ?? '???'}  <${image.uuid ?? '???'}>`
}

function withNumber(name: string | null, number: unknown): string | null {
  const id = toInteger(number)
  return name === null || id === null ? name : `${name} [${id}]`
}

function labelled(pairs: readonly (readonly [label: string, value: string | null])[]): string[] {
  return pairs.filter(([, value]) => value !== null).map(([label, value]) => `${label.padEnd(20)} ${value}`)
}
