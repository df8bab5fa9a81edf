import { requireAt } from '@fairlead/invariant'
import { Disposables } from '../disposables.ts'
import type { SourceFrame } from '../lookup/block.ts'
import { type Lookup, openLookup } from '../lookup/lookup.ts'
import type { MissingSymbols, SymbolicatedFrame, SymbolicatedReport, UsedImage } from '../symbolicated.ts'
import { SymbolsError } from '../symbols-error.ts'
import type { CrashReport, ReportFrame, ReportImage } from './crash-report.ts'
import { formatFrameLine, toHexadecimal } from './frame-line.ts'
import { isSystemImage } from './system-image.ts'

/** The image whose symbols are wanted. */
export interface ImageQuery {
  uuid: string
  architecture: string | null
  name: string
}

/** Gives the path of an image's lookup file; undefined if there are no symbols for it. */
export type FindImage = (image: ImageQuery) => string | undefined | Promise<string | undefined>

/** Resolves the frames of a crash report with the symbols of its images, which are found by UUID. */
export async function symbolicateCrash(report: CrashReport, findImage: FindImage): Promise<SymbolicatedReport> {
  using stack = new Disposables()
  const symbols = await openImages(report, findImage, stack)
  const missing = new Map<ReportImage, MissingSymbols>()
  const resolved = new Map<ReportFrame, SymbolicatedFrame[]>()
  const sources = findSources(report, symbols.lookups)
  const resolve = (frame: ReportFrame): SymbolicatedFrame[] => {
    const frames = resolveFrame(frame, sources.get(frame) ?? [])
    resolved.set(frame, frames)
    const { image } = frame
    const isKnown = frames[0]?.function !== null
    if (image && !isKnown && !symbols.lookups.has(image) && !isSystemImage(image)) missing.set(image, toMissing(image))
    return frames
  }
  const threads = report.threads.map(({ name, crashed, frames }) => ({
    name,
    crashed,
    frames: frames.flatMap(resolve),
  }))
  const lines = report.lines.flatMap((line) =>
    typeof line === 'string' ? line : toLines(line, resolved.get(line) ?? []),
  )
  return {
    kind: 'apple',
    text: joinLines(lines),
    threads,
    missingSymbols: unique([...missing.values()]),
    usedImages: symbols.used,
    usedMappings: [],
    warnings: [...report.warnings, ...symbols.warnings],
  }
}

/**
 * The longest text of an answer in UTF-16 code units. Names of symbols are long, and inlined frames make more lines.
 */
const maxTextLength = 64 * 1024 * 1024

function joinLines(lines: readonly string[]): string {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
  if (length > maxTextLength) throw new SymbolsError('too-large', `The resolved report has ${length} characters.`)
  return lines.join('\n')
}

interface OpenImages {
  lookups: Map<ReportImage, Lookup>
  used: UsedImage[]
  warnings: string[]
}

/**
 * Opens the lookup files of the images that frames lie in. An image whose file cannot be read counts as missing, and a
 * warning says why.
 */
async function openImages(report: CrashReport, findImage: FindImage, stack: Disposables): Promise<OpenImages> {
  const open: OpenImages = { lookups: new Map(), used: [], warnings: [] }
  const images = new Set(report.threads.flatMap(({ frames }) => frames.map(({ image }) => image)))
  for (const image of images) {
    if (!image || image.uuid === null) continue
    const { uuid, architecture, name } = image
    const lookupFile = await findImage({ uuid, architecture, name })
    if (lookupFile === undefined) continue
    try {
      open.lookups.set(image, stack.use(openLookup(lookupFile, { names: 'full' })))
      open.used.push({ name, uuid, architecture, codeId: null, lookupFile })
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      open.warnings.push(`The symbols of ${name} cannot be used. ${error.message}`)
    }
  }
  return open
}

/** Looks up all frames of an image in one call. */
function findSources(report: CrashReport, lookups: Map<ReportImage, Lookup>): Map<ReportFrame, SourceFrame[]> {
  const sources = new Map<ReportFrame, SourceFrame[]>()
  const frames = report.threads.flatMap((thread) => thread.frames)
  for (const [image, inImage] of Map.groupBy(frames, (frame) => frame.image)) {
    const lookup = image && lookups.get(image)
    const placed = inImage.filter(({ offset }) => offset !== undefined)
    const answers = lookup?.findFramesOf(placed.map(toCodeOffset)) ?? []
    for (const [index, answer] of answers.entries()) sources.set(requireAt(placed, index), answer)
  }
  return sources
}

/**
 * The offset to look up. A return address lies behind the call, and behind the whole function if the call was its last
 * instruction, so the byte before it is looked up.
 */
function toCodeOffset({ offset = 0, isReturnAddress }: ReportFrame): number {
  return isReturnAddress ? offset - 1 : offset
}

function resolveFrame(frame: ReportFrame, found: readonly SourceFrame[]): SymbolicatedFrame[] {
  const module = frame.module ?? frame.image?.name ?? null
  const address = frame.address === undefined ? null : toHexadecimal(frame.address)
  // The frame that it was inlined into has the same address, and its answer contains this one.
  if (frame.isInlined && found.some(({ inlined }) => inlined)) return []
  if (found.length === 0 || frame.isInlined) {
    const { symbol, file, line, raw, isInlined: inlined } = frame
    return [{ function: symbol, file, line, column: null, inlined, module, address, alternatives: [], raw }]
  }
  return found.map(({ function: name = null, file = null, line = null, column = null, inlined }) => {
    return { function: name, file, line, column, inlined, module, address, alternatives: [], raw: frame.raw }
  })
}

function toLines(frame: ReportFrame, resolved: readonly SymbolicatedFrame[]): string[] {
  if (resolved.length === 0) return []
  const isResolved = resolved.some((part) => part.function !== frame.symbol || part.file !== frame.file)
  if (!isResolved) return [toRawLine(frame)]
  return resolved.map((part) => formatFrameLine(frame, describe(part)))
}

/** The line of an unresolved frame: as it was, except that a bare address is completed with its image. */
function toRawLine(frame: ReportFrame): string {
  const { image, offset, raw } = frame
  if (!image || offset === undefined || raw.includes(image.name)) return raw
  return formatFrameLine(frame, `${toHexadecimal(image.base)} + ${offset}`)
}

function describe({ function: name, file, line, column, inlined }: SymbolicatedFrame): string {
  const mark = inlined ? ' [inlined]' : ''
  if (file === null) return `${name ?? '???'}${mark}`
  const place = line === 0 || line === null ? ', compiler-generated' : `:${line}${column ? `:${column}` : ''}`
  return `${name ?? '???'}${mark} (${file}${place})`
}

function toMissing({ name, uuid, architecture }: ReportImage): MissingSymbols {
  return { name, uuid, architecture, codeId: null }
}

function unique(missing: readonly MissingSymbols[]): MissingSymbols[] {
  return [...new Map(missing.map((image) => [`${image.uuid ?? image.name} ${image.architecture}`, image])).values()]
}
