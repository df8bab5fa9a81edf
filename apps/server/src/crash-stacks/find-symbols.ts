/**
 * Stacks: crashed threads as they came, each stored once for all crashes that share it. `find-symbols.ts` finds the
 * files that make its frames readable, `frame-owner.ts` says which frames are the application's own,
 * `resolve-stacks.ts` reads it in a worker process, and `missing-names.ts` says which symbols it still waits for.
 *
 * Always true: a stack that is not stale was read with all symbols and rules that are committed. Symbols and rules mark
 * the stacks that they concern in their own transaction (`mark-stacks.ts`, `replace-rules.ts`).
 */
import type { SymbolNeeds } from '@fairlead/crashes'
import type { Db } from '../db/open.ts'
import { type SymbolRef, unknownImage } from './symbol-ref.ts'
import { createSourceMapFinder, toSourceMapRef } from './find-source-maps.ts'
import { findDartMaps, findElfLookups, findLookups, findMapping } from './symbols-store.ts'

/** The stored symbols that a stack needs, as keys of blobs. */
export interface FoundSymbols {
  /** By UUID in lower case. */
  lookups: Map<string, string>
  mapping: string | null
  /** The obfuscation maps of the Dart snapshots that frames lie in. */
  dartMaps: string[]
  /** Source maps by the key of their bundle. */
  sourceMaps: Map<string, string>
  refs: SymbolRef[]
}

export interface SymbolsOwner {
  id: number
  /** The application, and the same app on the other platform. */
  symbolsOwnerIds: number[]
}

/** Finds symbols for stacks, with few queries for all of them: lookup files for images, mappings for Java frames. */
export async function findSymbols(
  db: Db,
  { symbolsOwnerIds }: SymbolsOwner,
  needs: readonly SymbolNeeds[],
): Promise<FoundSymbols[]> {
  const images = needs.map((one) => one.images)
  const uuidsOf = (wanted: 'dsym' | 'elf') => [
    ...new Set(images.flatMap((some) => some.flatMap(({ kind, debugId }) => (kind === wanted ? [debugId] : [])))),
  ]
  const dsyms = await findLookups(db, symbolsOwnerIds, uuidsOf('dsym'))
  const libraries = await findElfLookups(db, symbolsOwnerIds, uuidsOf('elf'))
  const dartMaps = await findDartMaps(db, symbolsOwnerIds, uuidsOf('elf'))
  const findSourceMap = await createSourceMapFinder(
    db,
    symbolsOwnerIds,
    needs.flatMap((one) => one.sourceMaps),
  )
  const findMappingOnce = createMappingFinder(db, symbolsOwnerIds)
  const answers: FoundSymbols[] = []
  for (const [place, { mapping, sourceMaps, unknownImages }] of needs.entries()) {
    const lookups = new Map<string, string>()
    const refs = (images[place] ?? []).map(({ uuid, debugId, name, kind, codeId, isNeeded }): SymbolRef => {
      const library = libraries.get(debugId)
      // The debug id holds only the first 16 bytes of a build id.
      const isOther = codeId !== null && library?.codeId && library.codeId !== codeId
      const key = kind === 'dsym' ? dsyms.get(debugId) : isOther ? undefined : library?.key
      if (key !== undefined) lookups.set(uuid, key)
      return { kind, ref: debugId, name, codeId, isNeeded, isFound: key !== undefined }
    })
    const found = mapping ? await findMappingOnce(mapping) : undefined
    const scripts = sourceMaps.map((need) => ({ need, key: findSourceMap(need) }))
    answers.push({
      lookups,
      mapping: found?.key ?? null,
      dartMaps: [...new Set(refs.flatMap(({ ref }) => dartMaps.get(ref) ?? []))],
      sourceMaps: new Map(scripts.flatMap(({ need, key }) => (key === undefined ? [] : [[need.key, key]]))),
      refs: [
        ...refs,
        ...unknownImages.map(toUnknownImageRef),
        ...(found?.refs ?? []),
        ...scripts.map(({ need, key }) => toSourceMapRef(need, key)),
      ],
    })
  }
  return answers
}

/** Names what is missing for an image without an id. No symbols can be found for it, but it is not forgotten. */
function toUnknownImageRef({ name, kind }: SymbolNeeds['unknownImages'][number]): SymbolRef {
  return { kind, ref: `${unknownImage}${name}`, name, codeId: null, isNeeded: true, isFound: false }
}

/** Finds mappings, each with one query however many stacks name it. */
function createMappingFinder(db: Db, symbolsOwnerIds: number[]) {
  const known = new Map<string, Awaited<ReturnType<typeof findMapping>>>()
  return async (mapping: NonNullable<SymbolNeeds['mapping']>): Promise<{ key: string | null; refs: SymbolRef[] }> => {
    const versionRef = toVersionRef(mapping)
    const memoKey = JSON.stringify([mapping.ids, versionRef])
    if (!known.has(memoKey)) known.set(memoKey, await findMapping(db, symbolsOwnerIds, mapping))
    const found = known.get(memoKey)
    const toRef = (ref: string, isFound: boolean): SymbolRef => {
      return { kind: 'proguard', ref, name: null, codeId: null, isNeeded: mapping.isNeeded && !found, isFound }
    }
    const refs = mapping.ids.map((id) => toRef(`id:${id.toLowerCase()}`, found?.isById === true))
    if (versionRef !== undefined && found?.isById !== true) {
      const ofVersion = toRef(versionRef, found !== undefined)
      // A mapping that the crash names is missing once, though another one of its version would do.
      refs.push(refs.length === 0 ? ofVersion : { ...ofVersion, isNeeded: false })
    }
    if (refs.length === 0) refs.push(toRef(toUnknownBuildRef(mapping), false))
    return { key: found?.key ?? null, refs }
  }
}

/** Names what is missing for a crash without a build number. No mapping can be found by it, but it is not forgotten. */
function toUnknownBuildRef({ package: name, shortVersion }: NonNullable<SymbolNeeds['mapping']>): string {
  return `v:${name ?? ''}\n${shortVersion ?? ''}`
}

/** Names the mapping of a package and version. Undefined for reports that tell no build number. */
export function toVersionRef(of: {
  package: string | null
  shortVersion: string | null
  version: string | null
}): string | undefined {
  return of.version === null ? undefined : `v:${of.package ?? ''}\n${of.shortVersion ?? ''}\n${of.version}`
}
