/** Reads a trace of Flutter or Dart as text, whose symbols were split off when the app was built. */
import {
  type DartFrame,
  type DartThread,
  parseDartTrace,
  readDartException,
  SymbolsError,
  toDebugId,
} from '@fairlead/symbols'
import { type CrashImage, emptyFrame, noDetails, type ReadCrash, type ReportedFrame, unknownOrigin } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { maxFrames, maxNameLength } from '../limits.ts'

const longestMessage = 16_384

/** A log may hold several traces. The first one is that of the exception before it. @throws {CrashesError} no-crash */
export function readDartText(text: string, digest: string): ReadCrash {
  const { trace, thread } = parse(text)
  const exception = readDartException(trace)
  const image = toImage(thread)
  const isApple = thread.system === 'ios' || thread.system === 'macos'
  return {
    source: isApple ? 'apple' : 'android',
    sourceId: digest,
    kind: 'crash',
    isFatal: true,
    ...unknownOrigin,
    osName: thread.system === 'ios' ? 'iOS' : thread.system === 'android' ? 'Android' : null,
    // A thrown string has a text and no class.
    exceptions: exception
      ? [{ type: exception.type ?? 'Exception', message: exception.message?.slice(0, longestMessage) ?? null }]
      : [],
    frames: thread.frames.slice(0, maxFrames).map((frame) => toFrame(frame, image)),
    images: image.uuid === null ? [] : [image],
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    ...noDetails,
    platform: 'dart',
  }
}

function parse(text: string) {
  try {
    const trace = parseDartTrace(text)
    const [thread] = trace.threads
    if (thread) return { trace, thread }
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
  }
  throw new CrashesError('no-crash')
}

function toImage({ buildId, architecture, system }: DartThread): CrashImage {
  return {
    name: system === 'ios' || system === 'macos' ? 'App' : 'libapp.so',
    uuid: buildId === null ? null : toDebugId(Buffer.from(buildId, 'hex')).toLowerCase(),
    architecture: architecture?.slice(0, maxNameLength) ?? null,
    isApp: true,
    isElf: true,
    codeId: buildId,
  }
}

/** Dart prints the address in the ELF file (`virt`) beside that in memory; older programs the place. */
function toFrame({ address, fileAddress, place }: DartFrame, { name, uuid }: CrashImage): ReportedFrame {
  return {
    ...emptyFrame,
    imageUuid: uuid,
    imageOffset: fileAddress ?? null,
    address: address === undefined ? null : BigInt(address),
    module: name,
    isFileAddress: true,
    ...(fileAddress === undefined && place && { dartPlace: { section: place.section, offset: place.offset } }),
  }
}
