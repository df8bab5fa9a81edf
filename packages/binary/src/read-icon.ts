import type { AppIcon, IconLayer, ImageFormat } from './app-info.ts'
import { BinaryError } from './binary-error.ts'
import { undoCgbi } from './icon/cgbi.ts'
import { composeLayers, type Layer } from './icon/compose.ts'
import { findImageFormat } from './icon/image-format.ts'
import { decodePng, encodePixels } from './icon/pixels.ts'
import { encodePng, parsePng } from './icon/png.ts'
import { openZip, type ZipArchive } from './zip/zip.ts'

const maxIconBytes = 8 * 1024 * 1024
const maxDirectoryBytes = 24 * 1024 * 1024

export interface IconImage {
  format: ImageFormat
  bytes: Buffer
}

/**
 * Reads the icon that `readApp` found. Returns a PNG that every browser shows (Apple's variant converted, layers
 * composed), or an unchanged WebP or JPEG. Returns null if the icon is only a vector drawing. Rejects with BinaryError.
 */
export async function readIcon(file: string | Uint8Array, icon: AppIcon): Promise<IconImage | null> {
  using archive = openZip(file, { maxDirectoryBytes, onOddity: () => {} })
  return readArchiveIcon(archive, icon)
}

/** Does the same as `readIcon` with an archive that is open. */
export function readArchiveIcon(archive: ZipArchive, icon: AppIcon): IconImage | null {
  if (icon.kind === 'image') return readImage(archive, icon.path)
  const layers = [icon.background, icon.foreground].map((layer) => readLayer(archive, layer))
  const known = layers.filter((layer) => layer !== null)
  if (layers[1] !== null) return { format: 'png', bytes: encodePixels(composeLayers(known)) }
  return 'path' in icon.foreground ? readImage(archive, icon.foreground.path) : null
}

/**
 * Checks an image and makes it portable: a PNG keeps only the chunks needed to show it, and Apple's variant is
 * converted. WebP and JPEG are returned unchanged.
 *
 * @throws BinaryError `malformed-image` or `too-large`.
 */
export function toPortableImage(bytes: Uint8Array): IconImage {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = findImageFormat(buffer)
  if (format === undefined) throw new BinaryError('malformed-image', 'It is neither PNG nor WebP nor JPEG.')
  if (format !== 'png') return { format, bytes: buffer }
  const png = parsePng(buffer)
  return { format, bytes: png.isCgbi ? undoCgbi(png) : encodePng(png) }
}

function readImage(archive: ZipArchive, path: string): IconImage | null {
  const entry = archive.findEntry(path)
  return entry ? toPortableImage(archive.readEntry(entry, maxIconBytes)) : null
}

/** Reads a layer that can be composed, which is a colour or a PNG. */
function readLayer(archive: ZipArchive, layer: IconLayer | null): Layer | null {
  if (layer === null) return null
  if ('color' in layer) return layer.color
  const entry = layer.format === 'png' ? archive.findEntry(layer.path) : undefined
  return entry ? decodePng(parsePng(archive.readEntry(entry, maxIconBytes))) : null
}
