/** Crashes of a program that ProGuard has really obfuscated, in the words of each SDK that could have sent them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireAt } from '@fairlead/invariant'

export interface ObfuscatedBuild {
  shortVersion: string
  version: string
  mapping: string
  /** `source` is the trace of the same program without obfuscation. */
  crashes: { bug: number; trace: string; source: string }[]
}

export const obfuscatedPackage = 'org.tarn.shop'

/** Reads what `scripts/record-obfuscated.ts` has recorded. */
export function readObfuscatedBugs(): { bugCount: number; builds: ObfuscatedBuild[] } {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'obfuscated-bugs.json'), 'utf8'))
}

export interface TraceException {
  type: string
  message: string | null
  /** Innermost first. */
  frames: { className: string; methodName: string; fileName: string; line: number | null }[]
}

/** Reads a trace of the runtime, outermost exception first. Frames that it leaves out are taken from the one before. */
export function parseTrace(trace: string): TraceException[] {
  const exceptions: TraceException[] = []
  for (const line of trace.split('\n')) {
    const head = /^(?:Caused by: )?([\w.$]+)(?:: (.*))?$/.exec(line)
    const frame = /^\tat (?:[\w.]+\/)?([\w.$]+)\.([\w$<>]+)\(([\w.]+)(?::(\d+))?\)$/.exec(line)
    const more = /^\t\.\.\. (\d+) more$/.exec(line)
    if (head) exceptions.push({ type: requireAt(head, 1), message: head[2] ?? null, frames: [] })
    if (frame) {
      const [, className = '', methodName = '', fileName = '', number] = frame
      exceptions
        .at(-1)
        ?.frames.push({ className, methodName, fileName, line: number === undefined ? null : Number(number) })
    }
    if (more) exceptions.at(-1)?.frames.push(...(exceptions.at(-2)?.frames.slice(-Number(more[1])) ?? []))
  }
  return exceptions
}

interface Sending {
  build: ObfuscatedBuild
  trace: string
  /** A number that no other crash has. */
  number: number
}

/** The body that each protocol of `deliver` would have for a crash, and the id by which the crash is found again. */
export const senders: Record<string, (sending: Sending) => { id: string; body: string }> = {
  'sentry-store': ({ build, trace, number }) => {
    const id = String(number).padStart(32, '0')
    const values = parseTrace(trace).toReversed()
    const event = {
      event_id: id,
      platform: 'java',
      level: 'fatal',
      release: `${obfuscatedPackage}@${build.shortVersion}+${build.version}`,
      exception: {
        values: values.map(({ type, message, frames }) => ({
          type: type.slice(type.lastIndexOf('.') + 1),
          ...(type.includes('.') && { module: type.slice(0, type.lastIndexOf('.')) }),
          value: message,
          stacktrace: {
            frames: frames.toReversed().map(({ className, methodName, fileName, line }) => ({
              module: className,
              function: methodName,
              filename: fileName,
              lineno: line,
            })),
          },
        })),
      },
    }
    return { id, body: JSON.stringify(event) }
  },
  appcenter: ({ build, trace, number }) => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    const exception = parseTrace(trace).reduceRight<object | undefined>(
      (cause, { type, message, frames }) => ({
        type,
        message,
        frames: frames.map(({ className, methodName, fileName, line }) => ({
          className,
          methodName,
          fileName,
          lineNumber: line,
        })),
        ...(cause && { innerExceptions: [cause] }),
      }),
      undefined,
    )
    const device = {
      appVersion: build.shortVersion,
      appBuild: build.version,
      appNamespace: obfuscatedPackage,
      osName: 'Android',
    }
    const log = { type: 'managedError', id, timestamp: new Date().toISOString(), fatal: true, device, exception }
    return { id, body: JSON.stringify({ logs: [log] }) }
  },
  'acra-json': ({ build, trace, number }) => {
    const id = `report-${number}`
    const fields = {
      APP_VERSION_NAME: build.shortVersion,
      APP_VERSION_CODE: build.version,
      PACKAGE_NAME: obfuscatedPackage,
    }
    return { id, body: JSON.stringify({ REPORT_ID: id, STACK_TRACE: trace, ...fields }) }
  },
  raw: ({ trace, number }) => ({
    // The server finds the id, which is that of the bytes.
    id: '',
    body: `FATAL EXCEPTION: main\nProcess: ${obfuscatedPackage}, PID: ${number}\n${trace}`,
  }),
}
