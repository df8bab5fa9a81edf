import type { Crash, CrashFrame } from '@fairlead/contract'

/** Writes a crash as text, for a ticket or a mail: what it was, where, and its stack. */
export function toReportText(crash: Crash): string {
  const place = (file: string | null, line: number | null) =>
    file === null ? '' : ` (${file}${line === null || line === 0 ? '' : `:${line}`})`
  const toLine = (frame: CrashFrame) => {
    const name = frame.function ?? frame.reported?.imageOffset ?? '???'
    const module = frame.module === null ? '' : `${frame.module}  `
    return `    at ${module}${name}${frame.inlined ? ' [inlined]' : ''}${place(frame.file, frame.line)}`
  }
  const release = [crash.package, crash.shortVersion, crash.version && `(${crash.version})`].filter(Boolean).join(' ')
  const device = [crash.deviceModel, crash.osName, crash.osVersion].filter(Boolean).join(' ')
  return [
    `Crash ${crash.id} of group ${crash.groupId}, ${crash.occurredDate}`,
    `Kind: ${crash.kind}${crash.isFatal ? ', fatal' : ''}`,
    `Release: ${release || 'not known'}`,
    `Device: ${device || 'not known'}`,
    '',
    ...crash.exceptions.map(({ type, message }) => (message === null ? type : `${type}: ${message}`)),
    ...crash.frames.map(toLine),
    ...(crash.missingSymbols.length > 0 ? ['', `Missing symbols: ${crash.missingSymbols.join(', ')}`] : []),
    '',
  ].join('\n')
}
