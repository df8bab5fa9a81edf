import type { SymbolicateQuery } from '@fairlead/contract'
import { type ReportContents, toBundlePart, toDebugIdText } from '@fairlead/symbols'
import type { AppContext } from '../context.ts'
import {
  findDartMapSymbols,
  findElfSymbols,
  findElfSymbolsOfFile,
  findImageSymbols,
  findMappingSymbols,
  findSourceMapSymbols,
  type StoredSymbols,
} from './store.ts'

export interface FoundSymbols extends StoredSymbols {
  /** What the file is for the reader of the report. */
  as: 'lookup' | 'mapping' | 'dartMap' | 'sourceMap'
  /** The bundle of the report that a source map is for. */
  bundle?: string
}

type Context = Pick<AppContext, 'db'>

/** Finds the stored symbols that a report asks for; the query decides for reports that do not name them. */
export async function findSymbols(
  context: Context,
  applicationId: number,
  contents: ReportContents,
  query: SymbolicateQuery,
): Promise<FoundSymbols[]> {
  const { db } = context
  if (contents.kind === 'android') {
    return [
      ...toFound('mapping', await findMappingSymbols(db, applicationId, contents.mapId, query)),
      ...toFound('lookup', await findLibraries(context, applicationId, contents)),
    ]
  }
  if (contents.kind === 'dart') return findDartSymbols(context, applicationId, contents, query)
  if (contents.kind === 'javascript') return findSourceMaps(context, applicationId, contents, query)
  if (contents.kind === 'apple') {
    return toFound('lookup', await findImageSymbols(db, applicationId, listUuids(contents)))
  }
  return toFound('lookup', await findLibraries(context, applicationId, contents))
}

function toFound(as: FoundSymbols['as'], symbols: readonly StoredSymbols[]): FoundSymbols[] {
  return symbols.map((one) => ({ ...one, as }))
}

function listUuids({ images }: Pick<ReportContents, 'images'>): string[] {
  return images.flatMap(({ uuid }) => (uuid === null ? [] : [uuid.toUpperCase()]))
}

async function findLibraries({ db }: Context, applicationId: number, contents: ReportContents) {
  const buildIds = new Map(contents.images.map(({ uuid, codeId }) => [uuid?.toUpperCase(), codeId]))
  const symbols = await findElfSymbols(db, applicationId, listUuids(contents))
  // The debug id holds only the first 16 bytes of a build id.
  return symbols.filter(({ uuid, code_id }) => {
    const wanted = buildIds.get(uuid)
    return !wanted || !code_id || wanted === code_id
  })
}

/** The symbols of Dart traces and their obfuscation maps. A trace without a build id has those that the query names. */
async function findDartSymbols(
  context: Context,
  applicationId: number,
  contents: ReportContents,
  { symbolsFileId }: SymbolicateQuery,
): Promise<FoundSymbols[]> {
  const named = await findLibraries(context, applicationId, contents)
  const nameless = contents.images.find(({ uuid }) => uuid === null)
  const given =
    nameless === undefined || symbolsFileId === undefined
      ? undefined
      : await findGiven(context, applicationId, symbolsFileId, nameless.architecture)
  const maps = await findDartMapSymbols(context.db, applicationId, [
    ...listUuids(contents),
    ...(given ? [given.uuid] : []),
  ])
  const givenMap = maps.find(({ uuid }) => uuid === given?.uuid)
  return [
    ...toFound('lookup', given ? [...named, { ...given, uuid: '' }] : named),
    ...toFound('dartMap', givenMap ? [...maps, { ...givenMap, uuid: '' }] : maps),
  ]
}

/** The image of an upload for a trace without a build id: that of its architecture, if it tells one. */
async function findGiven({ db }: Context, applicationId: number, symbolsFileId: number, architecture: string | null) {
  const images = await findElfSymbolsOfFile(db, applicationId, symbolsFileId)
  if (architecture !== null) return images.find((image) => image.architecture === architecture)
  return images.length === 1 ? images[0] : undefined
}

/**
 * The source maps of the bundles of a stack. The query names a file or a debug id, whose maps are then those of the
 * stack whatever its bundles are called, or a release, whose maps are told apart by the name of their bundle.
 */
async function findSourceMaps(
  { db }: Context,
  applicationId: number,
  { images }: ReportContents,
  { symbolsFileId, debugId, version, shortVersion }: SymbolicateQuery,
): Promise<FoundSymbols[]> {
  const isNamed = symbolsFileId !== undefined || debugId !== undefined
  const wanted =
    symbolsFileId !== undefined
      ? { symbolsFileId }
      : debugId !== undefined
        ? { debugId: toDebugIdText(debugId) ?? '' }
        : { version, shortVersion }
  if (!isNamed && version === undefined && shortVersion === undefined) return []
  const maps = await findSourceMapSymbols(db, applicationId, wanted)
  const only = maps.length === 1 || debugId !== undefined ? maps[0] : undefined
  const isOfOne = isNamed && only !== undefined && !images.some(({ name }) => name === only.name)
  return images.flatMap(({ name: bundle }): FoundSymbols[] => {
    const isUnnamed = bundle === '' || toBundlePart(bundle).module !== undefined
    const map = isOfOne || (isUnnamed && only !== undefined) ? only : maps.find(({ name }) => name === bundle)
    return map ? [{ ...map, as: 'sourceMap', bundle }] : []
  })
}
