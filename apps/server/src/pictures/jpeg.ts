/**
 * JPEG: markers of two bytes (0xFF and a code), most of them followed by a segment that begins with its length (2
 * bytes, big-endian, which count themselves). A scan is the segment `SOS` and then coded bytes, in which 0xFF is
 * followed by 0 or by a restart marker, until the next marker. It ends with `EOI`.
 *
 * Kept are the tables (`DQT`, `DHT`, `DRI`), one frame (`SOF0` to `SOF2`) and its scans. The segments that say how
 * colors are coded (`JFIF`, `Adobe`) are written anew, without thumbnails, and so is the orientation. Everything else
 * goes: Exif with places and thumbnails, XMP, profiles, comments, further pictures, and what follows `EOI`.
 */
import { readOrientation, writeOrientation } from './orientation.ts'
import { type CleanPicture, PictureError, requireSize, requireWhole } from './picture.ts'

const code = { SOF0: 0xc0, SOF2: 0xc2, DHT: 0xc4, SOI: 0xd8, EOI: 0xd9, SOS: 0xda, DQT: 0xdb, DNL: 0xdc, DRI: 0xdd }
const application = { jfif: 0xe0, exif: 0xe1, adobe: 0xee }

/** Progressive pictures have about ten scans. Each of them costs whoever looks at the picture as much as a picture. */
const maxScans = 64
const maxSegments = 2000

const jfifSegment = Buffer.from('\xff\xe0\x00\x10JFIF\0\x01\x01\x00\x00\x01\x00\x01\x00\x00', 'latin1')

export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === code.SOI && bytes[2] === 0xff
}

/** What the segments before the scans say. */
interface Head {
  size: { width: number; height: number } | undefined
  hasJfif: boolean
  /** How Adobe's segment says that colors are coded. */
  transform: number | undefined
  orientation: number
}

/** @throws {PictureError} */
export function cleanJpeg(bytes: Buffer): CleanPicture {
  const head: Head = { size: undefined, hasJfif: false, transform: undefined, orientation: 1 }
  const kept: Buffer[] = []
  let scans = 0
  let at = 2
  for (let count = 0; ; count++) {
    if (count === maxSegments) throw new PictureError('consists of too many parts')
    requireWhole(bytes[at] === 0xff)
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1] ?? 0
    if (marker === code.EOI) break
    requireWhole(marker >= code.SOF0 && marker !== 0xff && !isBare(marker) && at + 4 <= bytes.length)
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    requireWhole(end >= at + 4 && end <= bytes.length)
    const segment = bytes.subarray(at, end)
    at = end
    if (marker === code.SOS) {
      requireWhole(head.size !== undefined)
      if (++scans > maxScans) throw new PictureError('consists of too many parts')
      at = findScanEnd(bytes, end)
      kept.push(segment, bytes.subarray(end, at))
    } else if (isFrame(marker)) {
      requireWhole(head.size === undefined)
      head.size = readFrame(marker, segment)
      kept.push(segment)
    } else if (marker === code.DHT || marker === code.DQT || marker === code.DRI) kept.push(segment)
    else readApplication(marker, segment.subarray(4), head)
  }
  requireWhole(head.size !== undefined && scans > 0)
  const { width, height } = head.size
  const pieces = [Buffer.from([0xff, code.SOI]), ...writeHead(head), ...kept, Buffer.from([0xff, code.EOI])]
  return { type: 'image/jpeg', width, height, pieces }
}

/** Tells whether a marker has no segment, so that it may stand in a scan only, or begins another picture. */
function isBare(marker: number): boolean {
  return marker >= 0xd0 && marker <= code.SOI
}

function isFrame(marker: number): boolean {
  // Among the codes of frames are those of two kinds of tables and a reserved one.
  return marker >= code.SOF0 && marker <= 0xcf && marker !== code.DHT && marker !== 0xc8
}

/** Offsets in the segment: 4 precision, 5 height, 7 width, 9 number of components, 10 three bytes for each. */
function readFrame(marker: number, segment: Buffer): { width: number; height: number } {
  if (marker > code.SOF2) throw new PictureError('is no JPEG that browsers show')
  requireWhole(segment.length >= 10)
  const components = segment[9] ?? 0
  requireWhole(segment.length === 10 + components * 3)
  if (segment[4] !== 8 || ![1, 3, 4].includes(components)) throw new PictureError('is no JPEG that browsers show')
  const [width, height] = [segment.readUInt16BE(7), segment.readUInt16BE(5)]
  requireSize(width, height)
  return { width, height }
}

/** Returns where the next marker stands. */
function findScanEnd(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(0xff, at)
    requireWhole(at >= 0 && at + 1 < bytes.length)
    const next = bytes[at + 1] ?? 0
    const isCoded = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isCoded && next !== 0xff) return at
    at += isCoded ? 2 : 1
  }
}

function readApplication(marker: number, data: Buffer, head: Head): void {
  const begins = (text: string) => data.toString('latin1', 0, text.length) === text
  if (marker === application.jfif && begins('JFIF\0')) head.hasJfif = true
  if (marker === application.adobe && begins('Adobe') && data.length >= 12) head.transform = data[11]
  // The first one counts, as for browsers; others are parts of Exif that is too long for one.
  if (marker === application.exif && begins('Exif\0\0') && head.orientation === 1) {
    head.orientation = readOrientation(data)
  }
}

function writeHead({ hasJfif, transform, orientation }: Head): Buffer[] {
  const segments: Buffer[] = hasJfif ? [jfifSegment] : []
  if (orientation !== 1) {
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), writeOrientation(orientation)])
    segments.push(writeSegment(application.exif, exif))
  }
  if (transform !== undefined) {
    const adobe = Buffer.from(`Adobe\0\x64\0\0\0\0${String.fromCharCode(transform)}`, 'latin1')
    segments.push(writeSegment(application.adobe, adobe))
  }
  return segments
}

function writeSegment(marker: number, data: Buffer): Buffer {
  const segment = Buffer.alloc(4 + data.length)
  segment.writeUInt16BE(0xff00 + marker, 0)
  segment.writeUInt16BE(2 + data.length, 2)
  data.copy(segment, 4)
  return segment
}
