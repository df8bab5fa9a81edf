import type { AppIcon, IconLayer, ImageFormat } from '../app-info.ts'
import { findImageFormat } from '../icon/image-format.ts'
import { isPlainPath } from '../identifier.ts'
import { withinBounds } from '../within-bounds.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { readElements } from './binary-xml.ts'
import { attribute } from './manifest.ts'
import { anyDensity, noDensity } from './resource-config.ts'
import type { ConfiguredValue, Resources } from './resources.ts'
import { isReference, toColor, type Value, valueType } from './value.ts'

const maxCandidates = 32
const maxDrawables = 4
const maxDrawableBytes = 256 * 1024
/** Android reads "any density" as "scales to any size". For a raster image it means 160 dots per inch. */
const plainDensity = 160

interface ImageFile {
  path: string
  format: ImageFormat
}

/**
 * Finds the raster image with the highest density, or, if every configuration is XML, the layers of the adaptive icon.
 */
export function findIcon(apk: ZipArchive, resources: Resources, icon: Value): AppIcon | undefined {
  const files = filesOf(resources, icon)
  const image = findImage(apk, files)
  if (image) return { kind: 'image', ...image }
  for (const path of files.slice(0, maxDrawables)) {
    const layers = readAdaptiveIcon(apk, resources, path)
    if (layers) return layers
  }
  return undefined
}

/** Paths of the icon's files, highest density first. */
function filesOf(resources: Resources, icon: Value): string[] {
  const values: ConfiguredValue[] = isReference(icon)
    ? resources.findAll(icon.data)
    : [{ config: { locale: '', density: 0, sdkVersion: 0, isPlain: true }, value: icon }]
  const strings = values.filter(({ value }) => value.type === valueType.string && value.text)
  const sorted = strings.toSorted((a, b) => toDensity(b) - toDensity(a) || b.config.sdkVersion - a.config.sdkVersion)
  return [...new Set(sorted.map(({ value }) => value.text ?? ''))].slice(0, maxCandidates)
}

function toDensity({ config: { density } }: ConfiguredValue): number {
  return density === anyDensity || density === noDensity || density === 0 ? plainDensity : density
}

function findImage(apk: ZipArchive, paths: string[]): ImageFile | undefined {
  for (const path of paths) {
    const entry = isPlainPath(path) ? apk.findEntry(path) : undefined
    const format = entry && findImageFormat(apk.readEntryStart(entry, 12))
    if (format) return { path, format }
  }
  return undefined
}

function readAdaptiveIcon(apk: ZipArchive, resources: Resources, path: string): AppIcon | undefined {
  const drawables = readDrawables(apk, path)
  if (drawables?.root !== 'adaptive-icon') return undefined
  const foreground = drawables.foreground && findLayer(apk, resources, drawables.foreground)
  if (!foreground) return undefined
  const background = drawables.background && findLayer(apk, resources, drawables.background)
  return { kind: 'layers', path, background: background ?? null, foreground }
}

interface Drawables {
  root: string
  background?: Value | undefined
  foreground?: Value | undefined
}

function readDrawables(apk: ZipArchive, path: string): Drawables | undefined {
  const entry = apk.findEntry(path)
  if (!entry || findImageFormat(apk.readEntryStart(entry, 12))) return undefined
  const bytes = apk.readEntry(entry, maxDrawableBytes)
  return withinBounds('malformed-resources', () => {
    let found: Drawables | undefined
    let layer: string | undefined
    for (const element of readElements(bytes)) {
      if (element.depth === 1) found = { root: element.name }
      if (element.depth === 2) layer = element.name
      // The drawable is an attribute of the layer, or of an inset or bitmap inside it.
      const drawable = element.attribute(attribute.drawable) ?? element.attribute(attribute.src)
      if (found && drawable && (layer === 'background' || layer === 'foreground')) found[layer] ??= drawable
    }
    return found
  })
}

function findLayer(apk: ZipArchive, resources: Resources, value: Value): IconLayer | undefined {
  const image = findImage(apk, filesOf(resources, value))
  if (image) return image
  const plain = resources.resolve(value)
  const color = plain && toColor(plain)
  return color === undefined ? undefined : { color }
}
