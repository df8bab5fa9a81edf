/** Resolves frames of native code of Android with the symbols of their libraries, which are found by build id. */
import { toDebugId } from '@fairlead/binary'
import { requireAt } from '@fairlead/invariant'
import { demangle } from '../demangle/demangle.ts'
import { Disposables } from '../disposables.ts'
import type { SourceFrame } from '../lookup/block.ts'
import { type Lookup, openLookup } from '../lookup/lookup.ts'
import { toHexadecimal } from '../report/frame-line.ts'
import type { FindImage } from '../report/symbolicate-crash.ts'
import type { MissingSymbols, SymbolicatedFrame, UsedImage } from '../symbolicated.ts'
import { SymbolsError } from '../symbols-error.ts'
import type { TombstoneFrame } from '../tombstone/tombstone.ts'

/** The libraries that frames lie in and that have a build id, each once. */
export function listLibraries(frames: readonly TombstoneFrame[], architecture: string | null): MissingSymbols[] {
  const libraries = new Map<string, MissingSymbols>()
  for (const { module, buildId } of frames) {
    if (buildId === null || libraries.has(buildId)) continue
    libraries.set(buildId, { name: module, uuid: toLibraryUuid(buildId), architecture, codeId: buildId })
  }
  return [...libraries.values()]
}

/** The debug id of a build id in hexadecimal, in lower case. */
function toLibraryUuid(buildId: string): string {
  return toDebugId(Buffer.from(buildId, 'hex')).toLowerCase()
}

export interface ResolvedFrames {
  /** The functions at each frame: the one that was compiled comes last, after those that were inlined into it. */
  resolved: Map<TombstoneFrame, SymbolicatedFrame[]>
  /** The libraries whose symbols were not found or cannot be used. */
  missing: MissingSymbols[]
  used: UsedImage[]
  warnings: string[]
}

export async function resolveFrames(
  frames: readonly TombstoneFrame[],
  libraries: readonly MissingSymbols[],
  findImage: FindImage,
): Promise<ResolvedFrames> {
  using stack = new Disposables()
  const { lookups, used, warnings } = await openLibraries(libraries, findImage, stack)
  const resolved = new Map<TombstoneFrame, SymbolicatedFrame[]>()
  for (const [buildId, ofLibrary] of Map.groupBy(frames, (frame) => frame.buildId)) {
    const lookup = buildId === null ? undefined : lookups.get(buildId)
    const answers = lookup?.findFramesOf(ofLibrary.map((frame) => toLookupOffset(frame.pc, lookup)))
    for (const [index, frame] of ofLibrary.entries()) {
      resolved.set(frame, toFrames(frame, answers ? requireAt(answers, index) : []))
    }
  }
  return { resolved, missing: libraries.filter(({ codeId }) => !lookups.has(codeId ?? '')), used, warnings }
}

/** The offset of an address of an ELF file. Thumb functions of ARM have odd addresses, whose code is even. */
function toLookupOffset(address: number, { textAddress, architecture }: Lookup): number {
  const offset = address - textAddress
  return architecture === 'arm' ? offset - (offset % 2) : offset
}

async function openLibraries(libraries: readonly MissingSymbols[], findImage: FindImage, stack: Disposables) {
  const lookups = new Map<string, Lookup>()
  const used: UsedImage[] = []
  const warnings: string[] = []
  for (const library of libraries) {
    const { name, uuid, architecture, codeId } = library
    if (uuid === null || codeId === null) continue
    const lookupFile = await findImage({ uuid, architecture, name })
    if (lookupFile === undefined) continue
    try {
      lookups.set(codeId, stack.use(openLookup(lookupFile, { names: 'full' })))
      used.push({ ...library, lookupFile })
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      warnings.push(`The symbols of ${name} cannot be used. ${error.message}`)
    }
  }
  return { lookups, used, warnings }
}

function toFrames(frame: TombstoneFrame, found: readonly SourceFrame[]): SymbolicatedFrame[] {
  const { module, raw } = frame
  const common = { module, address: toHexadecimal(frame.pc), alternatives: [], raw }
  const reported = frame.function === null ? null : demangle(frame.function)
  if (found.length === 0) {
    return [{ function: reported, file: null, line: null, column: null, inlined: false, ...common }]
  }
  return found.map(({ function: name = null, file = null, line = null, column, inlined }) => {
    return { function: name ?? reported, file, line, column: column || null, inlined, ...common }
  })
}

/** The lines that follow the one of a frame: one for each call whose place in the source is known. */
export function listPlaces(frame: TombstoneFrame, resolved: readonly SymbolicatedFrame[]): string[] {
  const known = resolved.filter(({ function: name, file }) => file !== null || name !== frame.function)
  return known.map((part) => `            ${describe(part)}`)
}

function describe({ function: name, file, line, column, inlined }: SymbolicatedFrame): string {
  const place =
    file === null ? '' : ` (${file}${line === null ? '' : `:${line}`}${column === null ? '' : `:${column}`})`
  return `${name ?? '???'}${inlined ? ' [inlined]' : ''}${place}`
}
