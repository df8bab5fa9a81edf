import { toDebugId } from '@fairlead/symbols'
import { isJavaScript, readBundleIds, toJavaScriptFrame } from '../javascript/event-frame.ts'
import { type CrashImage, emptyFrame, type ReadThread, type ReportedFrame } from '../crash.ts'
import { ImagePlaces, isAppPath, type LoadedImage, toFileName } from '../image-places.ts'
import { type JsonObject, toAddress, toInteger, toList, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxFrames, maxImages } from '../limits.ts'
import { toUuid } from '../uuid.ts'
import { readThreads } from './threads.ts'

export interface EventFrames {
  frames: ReportedFrame[]
  images: CrashImage[]
  mappingIds: string[]
  threads: ReadThread[]
}

/**
 * Finds the frames that explain an event: those of the innermost exception that has frames, or else of the thread that
 * crashed, or else of the current thread. Sentry lists the root cause first, and callers before callees.
 *
 * @param components the components of React around the one that failed, which are listed among the threads
 */
export function readEventFrames(
  event: JsonObject,
  exceptions: readonly JsonObject[],
  components: JsonObject | undefined,
): EventFrames {
  const deviceArchitecture = toArchitecture(toObject(toObject(event['contexts'])['device'])['arch'])
  const loaded = toList(toObject(event['debug_meta'])['images'])
    .slice(0, maxImages)
    .filter((value) => toObject(value)['type'] !== 'sourcemap')
    .map((value) => toLoadedImage(toObject(value), deviceArchitecture))
  const places = new ImagePlaces(loaded)
  const bundles = readBundleIds(toObject(event['debug_meta'])['images'])
  const mappings = toObjects(toObject(event['debug_meta'])['images']).filter(({ type }) => type === 'proguard')
  const threads = toObjects(event['threads'])
  const candidates = [
    ...exceptions,
    ...threads.filter(({ crashed }) => crashed === true),
    ...threads.filter(({ current }) => current === true),
    event,
  ]
  const toFrames = (holder: JsonObject) =>
    listFrames(holder)
      .slice(-maxFrames)
      .reverse()
      .map((frame) => (isJavaScript(frame, event) ? toJavaScriptFrame(frame, bundles.ids) : toFrame(frame, places)))
  const chosen = candidates.find((holder) => listFrames(holder).length > 0)
  const frames = chosen ? toFrames(chosen) : []
  return {
    frames,
    threads: [
      ...readThreads(event, frames, toFrames),
      ...(components ? toComponents(frames, toFrames(components)) : []),
    ],
    images: [...loaded.filter(({ uuid }) => uuid !== null).map(toImage), ...bundles.images],
    mappingIds: [...new Set(mappings.map(({ uuid, debug_id: id }) => toUuid(uuid ?? id)))].filter((id) => id !== null),
  }
}

/** The list of threads begins with the one that crashed. */
function toComponents(frames: ReportedFrame[], components: ReportedFrame[]): ReadThread[] {
  const thread = { id: null, state: null }
  return [
    { ...thread, name: null, isCrashed: true, frames },
    { ...thread, name: 'React components', isCrashed: false, frames: components },
  ]
}

function listFrames(holder: JsonObject): JsonObject[] {
  return toObjects(toObject(holder['stacktrace'])['frames'])
}

function toLoadedImage(image: JsonObject, deviceArchitecture: string | null): LoadedImage {
  const isElf = image['type'] === 'elf'
  const codeId = isElf ? toBuildId(image['code_id']) : null
  const path = toText(image['code_file']) ?? toText(image['name'])
  // A mapping is listed beside the images, and no SDK says what its file is called.
  const unnamed = image['type'] === 'proguard' ? 'mapping.txt' : '???'
  return {
    name: path === null ? unnamed : toFileName(path),
    uuid:
      toUuid(image['debug_id'] ?? image['uuid'] ?? image['id']) ??
      (codeId === null ? null : toDebugId(Buffer.from(codeId, 'hex')).toLowerCase()),
    architecture: toText(image['arch']) ?? (isElf ? deviceArchitecture : null),
    isApp: isAppPath(path),
    base: toAddress(image['image_addr']),
    size: toAddress(image['image_size']),
    ...(isElf && { isElf, codeId }),
  }
}

function toImage({ base: _base, size: _size, ...image }: LoadedImage): CrashImage {
  return image
}

/** The build id of an ELF file in lower case; null for text that is none. */
function toBuildId(value: unknown): string | null {
  const text = toText(value)?.toLowerCase() ?? null
  return text !== null && /^(?:[0-9a-f]{2}){1,64}$/.test(text) ? text : null
}

/** The name that ELF files have for an architecture of Android's. */
function toArchitecture(value: unknown): string | null {
  const text = toText(value)
  if (text === null) return null
  if (text.startsWith('arm64') || text === 'aarch64') return 'arm64'
  return text.startsWith('arm') ? 'arm' : text
}

/** The offset in its image. Functions in Thumb instructions of ARM have odd addresses, whose code is even. */
function toOffset({ image, offset }: { image: LoadedImage; offset: number }): number {
  const isArm =
    image.isElf === true && (image.architecture?.startsWith('armv') === true || image.architecture === 'arm')
  return isArm ? offset - (offset % 2) : offset
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
    column: toInteger(frame['colno']),
    imageUuid: place?.image.uuid ?? null,
    imageOffset: place ? toOffset(place) : null,
    address: address === 0n ? null : address,
    inApp: typeof frame['in_app'] === 'boolean' ? frame['in_app'] : null,
    module: place?.image.name ?? (packagePath === null ? null : toFileName(packagePath)),
  }
}
