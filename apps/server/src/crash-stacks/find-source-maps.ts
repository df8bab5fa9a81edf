import type { SymbolNeeds } from '@fairlead/crashes'
import type { Db } from '../db/open.ts'
import type { SymbolRef } from './symbol-ref.ts'
import { findMapsById, findMapsOfBundles, type ReleasedMap } from './source-maps-store.ts'

type SourceMapNeed = SymbolNeeds['sourceMaps'][number]

/**
 * Looks for the source maps that stacks need, with few queries for all of them. Returns a function that gives the key
 * of the blob for one of them: by its debug id alone if it has one, because the map of another build would give wrong
 * lines, else by the release and the name of the bundle.
 */
export async function createSourceMapFinder(
  db: Db,
  symbolsOwnerIds: number[],
  needs: readonly SourceMapNeed[],
): Promise<(need: SourceMapNeed) => string | undefined> {
  if (needs.length === 0) return () => undefined
  const byId = await findMapsById(db, symbolsOwnerIds, [...new Set(needs.flatMap(({ debugId }) => debugId ?? []))])
  const names = needs.flatMap(({ debugId, name }) => (debugId === null ? [name] : []))
  const released = Map.groupBy(await findMapsOfBundles(db, symbolsOwnerIds, [...new Set(names)]), ({ name }) => name)
  return ({ debugId, name, release }) => {
    if (debugId !== null) return byId.get(debugId)
    const fitting = (released.get(name) ?? []).filter((map) => isOfRelease(map, release))
    // A map that names the build fits better than one of all builds of a release. The newest stands first.
    return (fitting.find(({ version }) => version !== null) ?? fitting[0])?.key
  }
}

function isOfRelease(map: ReleasedMap, release: SourceMapNeed['release']): boolean {
  const { package: packageName, shortVersion, version } = release
  if (map.shortVersion === null && map.version === null) return false
  if (map.shortVersion !== null && map.shortVersion !== shortVersion) return false
  if (map.version !== null && map.version !== version) return false
  return map.package === null || packageName === null || map.package === packageName
}

export function toSourceMapRef({ debugId, name, release, isNeeded }: SourceMapNeed, key?: string): SymbolRef {
  const { package: packageName, shortVersion, version } = release
  const ref = debugId ?? `v:${packageName ?? ''}\n${shortVersion ?? ''}\n${version ?? ''}\n${name}`
  return { kind: 'sourcemap', ref, name, codeId: null, isNeeded, isFound: key !== undefined }
}
