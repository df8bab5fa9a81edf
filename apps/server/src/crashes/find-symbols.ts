import type { SymbolNeeds } from '@fairlead/crashes'
import type { Platform } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { findLookups, findMapping } from './symbols-store.ts'

/** The stored symbols that a stack needs, as keys of blobs. */
export interface FoundSymbols {
  /** By UUID in lower case. */
  lookups: Map<string, string>
  mapping: string | null
  refs: SymbolRef[]
}

/** One way to name symbols, as a row of `crash_waits` stores it. */
export interface SymbolRef {
  kind: 'proguard' | 'dsym'
  ref: string
  name: string | null
  isNeeded: boolean
  isFound: boolean
}

export interface SymbolsOwner {
  id: number
  platform: Platform
}

/** Finds symbols for stacks, with few queries for all of them. Mappings are for Android, dSYMs for iOS. */
export async function findSymbols(
  db: Db,
  { id: applicationId, platform }: SymbolsOwner,
  needs: readonly SymbolNeeds[],
): Promise<FoundSymbols[]> {
  if (platform === 'ios') {
    const uuids = new Set(needs.flatMap(({ images }) => images.map(({ uuid }) => uuid)))
    const found = await findLookups(db, applicationId, [...uuids])
    return needs.map(({ images }) => {
      const lookups = new Map<string, string>()
      const refs = images.map(({ uuid, name, isNeeded }): SymbolRef => {
        const key = found.get(uuid)
        if (key !== undefined) lookups.set(uuid, key)
        return { kind: 'dsym', ref: uuid, name, isNeeded, isFound: key !== undefined }
      })
      return { lookups, mapping: null, refs }
    })
  }
  const known = new Map<string, Awaited<ReturnType<typeof findMapping>>>()
  const answers: FoundSymbols[] = []
  for (const { mapping } of needs) {
    if (!mapping) {
      answers.push({ lookups: new Map(), mapping: null, refs: [] })
      continue
    }
    const versionRef = toVersionRef(mapping)
    const memoKey = JSON.stringify([mapping.ids, versionRef])
    if (!known.has(memoKey)) known.set(memoKey, await findMapping(db, applicationId, mapping))
    const found = known.get(memoKey)
    const toRef = (ref: string, isFound: boolean): SymbolRef => {
      return { kind: 'proguard', ref, name: null, isNeeded: mapping.isNeeded && !found, isFound }
    }
    const refs = mapping.ids.map((id) => toRef(`id:${id.toLowerCase()}`, found?.isById === true))
    if (versionRef !== undefined && found?.isById !== true) refs.push(toRef(versionRef, found !== undefined))
    answers.push({ lookups: new Map(), mapping: found?.key ?? null, refs })
  }
  return answers
}

/** Names the mapping of a package and version. Undefined for reports that tell no build number. */
export function toVersionRef(of: {
  package: string | null
  shortVersion: string | null
  version: string | null
}): string | undefined {
  return of.version === null ? undefined : `v:${of.package ?? ''}\n${of.shortVersion ?? ''}\n${of.version}`
}
