import { type CrashImage, emptyFrame, type ReportedFrame } from '../crash.ts'
import { ImagePlaces, isAppPath, type LoadedImage, toFileName } from '../image-places.ts'
import { type JsonObject, toAddress, toInteger, toList, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxFrames, maxImages } from '../limits.ts'
import { toUuid } from '../uuid.ts'

export interface EventFrames {
  frames: ReportedFrame[]
  images: CrashImage[]
  mappingIds: string[]
}

/**
 * Finds the frames that explain an event: those of the innermost exception that has frames, or else of the thread that
 * crashed, or else of the current thread. Sentry lists the root cause first, and callers before callees.
 */
export function readEventFrames(event: JsonObject, exceptions: readonly JsonObject[]): EventFrames {
  const loaded = toList(toObject(event['debug_meta'])['images'])
    .slice(0, maxImages)
    .map((value) => toLoadedImage(toObject(value)))
  const places = new ImagePlaces(loaded)
  const mappings = toObjects(toObject(event['debug_meta'])['images']).filter(({ type }) => type === 'proguard')
  const threads = toObjects(event['threads'])
  const candidates = [
    ...exceptions,
    ...threads.filter(({ crashed }) => crashed === true),
    ...threads.filter(({ current }) => current === true),
    event,
  ]
  const raw = candidates.map(listFrames).find((frames) => frames.length > 0) ?? []
  return {
    frames: raw
      .slice(-maxFrames)
      .reverse()
      .map((frame) => toFrame(frame, places)),
    images: loaded.filter(({ uuid }) => uuid !== null).map(toImage),
    mappingIds: [...new Set(mappings.map(({ uuid, debug_id: id }) => toUuid(uuid ?? id)))].filter((id) => id !== null),
  }
}

function listFrames(holder: JsonObject): JsonObject[] {
  return toObjects(toObject(holder['stacktrace'])['frames'])
}

function toLoadedImage(image: JsonObject): LoadedImage {
  const path = toText(image['code_file']) ?? toText(image['name'])
  return {
    name: path === null ? '???' : toFileName(path),
    uuid: toUuid(image['debug_id'] ?? image['uuid'] ?? image['id']),
    architecture: toText(image['arch']),
    isApp: isAppPath(path),
    base: toAddress(image['image_addr']),
    size: toAddress(image['image_size']),
  }
}

function toImage({ name, uuid, architecture, isApp }: LoadedImage): CrashImage {
  return { name, uuid, architecture, isApp }
}

function toFrame(frame: JsonObject, places: ImagePlaces): ReportedFrame {
  const className = toText(frame['module'])
  const name = toText(frame['function'])
  const address = toAddress(frame['instruction_addr'])
  const place = address === null || address === 0n ? undefined : places.find(address)
  const packagePath = toText(frame['package'])
  return {
    ...emptyFrame,
    className,
    methodName: className === null ? null : name,
    function: className === null ? name : null,
    file: toText(frame['filename']),
    line: toInteger(frame['lineno']),
    imageUuid: place?.image.uuid ?? null,
    imageOffset: place?.offset ?? null,
    address: address === 0n ? null : address,
    module: place?.image.name ?? (packagePath === null ? null : toFileName(packagePath)),
  }
}
