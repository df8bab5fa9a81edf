import { emptyFrame, type ReadCrash, type ReportedFrame } from '../crash.ts'
import { ImagePlaces, isAppPath, type LoadedImage, toFileName } from '../image-places.ts'
import { type JsonObject, toAddress, toList, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxFrames, maxImages } from '../limits.ts'
import { toUuid } from '../uuid.ts'
import type { LogHead } from './log-head.ts'
import { readLogThreads } from './log-threads.ts'

const longestMessage = 16_384

/** Reads a crash that PLCrashReporter recorded: addresses, and the images that contain them. */
export function readAppleError(log: JsonObject, head: LogHead): ReadCrash {
  const images = toList(log['binaries'])
    .slice(0, maxImages)
    .map((binary) => toImage(toObject(binary)))
  const places = new ImagePlaces(images)
  const threads = toObjects(log['threads'])
  const thread = threads.find(({ id }) => id === log['errorThreadId']) ?? threads[0]
  const exceptionType = toText(log['exceptionType'])
  const type = exceptionType ?? toText(log['osExceptionType'])
  const frames = toList(thread?.['frames'])
    .slice(0, maxFrames)
    .map((frame) => toFrame(toObject(frame), places))
  return {
    ...head,
    exceptions: type === null ? [] : [{ type, message: toText(log['exceptionReason'], longestMessage) }],
    frames,
    threads: readLogThreads(log, frames, (frame) => toFrame(frame, places)),
    images: images
      .filter(({ uuid }) => uuid !== null)
      .map(({ name, uuid, architecture, isApp }) => ({ name, uuid, architecture, isApp })),
  }
}

function toImage(binary: JsonObject): LoadedImage {
  const path = toText(binary['path']) ?? toText(binary['name'])
  const base = toAddress(binary['startAddress'])
  const last = toAddress(binary['endAddress'])
  return {
    name: toText(binary['name']) ?? (path === null ? '???' : toFileName(path)),
    uuid: toUuid(binary['id']),
    architecture: null,
    isApp: isAppPath(path),
    base,
    size: base === null || last === null || last < base ? null : last - base + 1n,
  }
}

function toFrame(frame: JsonObject, places: ImagePlaces): ReportedFrame {
  const address = toAddress(frame['address'])
  const place = address === null ? undefined : places.find(address)
  return {
    ...emptyFrame,
    imageUuid: place?.image.uuid ?? null,
    imageOffset: place?.offset ?? null,
    address,
    module: place?.image.name ?? null,
  }
}
