import { type SymbolsIndex, toDetailRank } from '@fairlead/symbols'
import type { ToldColumns } from './symbols-kinds.ts'

/** An image of an upload, with the path of the file that answers for it. */
export interface ListedImage {
  name: string
  uuid: string
  architecture: string | null
  codeId: string | null
  detailRank: number
  lookupFile: string
}

/**
 * Lists the images in an upload. A mapping counts as one image, identified by its map id if it has one; each source map
 * is one, named after its bundle.
 *
 * @param fileName the name of the file, where the client tells one
 */
export function listImages(
  indexed: SymbolsIndex,
  { debugId, bundleName }: ToldColumns,
  fileName: string | undefined,
): ListedImage[] {
  const plain = { architecture: null, codeId: null, detailRank: 0 }
  if (indexed.kind === 'proguard') {
    return [{ ...plain, name: 'mapping.txt', uuid: indexed.mapId ?? '', lookupFile: indexed.mappingFile }]
  }
  if (indexed.kind === 'dsym') {
    return indexed.images.map(({ name, uuid, architecture, lookupFile }) => {
      return { ...plain, name, uuid, architecture, lookupFile }
    })
  }
  if (indexed.kind === 'dartmap') {
    const name = fileName ?? 'obfuscation-map.json'
    const uuid = (debugId ?? '').toUpperCase()
    // It has the debug id of the symbols and says nothing of their code.
    return [{ ...plain, detailRank: toDetailRank('none'), name, uuid, lookupFile: indexed.lookupFile }]
  }
  const isSingle = indexed.images.length === 1
  if (indexed.kind === 'elf') {
    // An ELF file that was sent as it is has the name that the client gives it.
    const givenName = indexed.isArchive ? undefined : fileName
    return indexed.images.map(({ name, uuid, architecture, codeId, detail, lookupFile }) => {
      return { name: givenName ?? name, uuid, architecture, codeId, detailRank: toDetailRank(detail), lookupFile }
    })
  }
  // What the client tells of a single map counts, because only the client knows what it was sent for.
  const told = isSingle ? { debugId, bundleName } : {}
  return indexed.images.map(({ lookupFile, ...image }) => {
    const uuid = (told.debugId ?? image.debugId ?? '').toUpperCase()
    return { ...plain, name: told.bundleName ?? image.bundleName ?? '', uuid, lookupFile }
  })
}
