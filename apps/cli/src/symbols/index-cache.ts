import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { indexSymbols, lookupFormatVersion, mappingIndexVersion, type SymbolsIndex } from '@fairlead/symbols'
import envPaths from 'env-paths'
import { createFolder } from '../files/create-folder.ts'
import type { Io } from '../io.ts'

/** Indexes that were not used for this long are deleted. */
const keptMs = 30 * 24 * 60 * 60_000

/**
 * Reads symbols as `indexSymbols` does and keeps the indexes in the user's cache folder, so that a second crash of the
 * same build takes some milliseconds. A file is recognized by its path, size and time of change.
 */
export async function indexCached(io: Io, path: string): Promise<SymbolsIndex> {
  const folder = io.env.FAIRLEAD_CACHE_DIR ?? envPaths('fairlead', { suffix: '' }).cache
  const cache = join(folder, 'symbols')
  const target = join(cache, await toKey(path))
  const known = await readIndex(target)
  if (known) return known
  await createFolder(cache, 'FAIRLEAD_CACHE_DIR')
  await sweep(cache)
  // The index is built beside its place and then renamed, so that concurrent or killed processes leave no partial
  // index.
  const next = await mkdtemp(join(cache, 'next-'))
  try {
    const index = await indexSymbols(path, next, { signal: io.signal })
    await writeFile(join(next, 'index.json'), JSON.stringify(index).replaceAll(JSON.stringify(next).slice(1, -1), '.'))
    await rename(next, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(next, { recursive: true, force: true })
  }
  const built = await readIndex(target)
  if (!built) throw new Error(`The index of ${path} vanished from ${target}`)
  return built
}

async function toKey(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  const parts = [await realpath(path), size, mtimeMs, lookupFormatVersion, mappingIndexVersion]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

async function readIndex(target: string): Promise<SymbolsIndex | undefined> {
  const path = join(target, 'index.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const now = new Date()
  await utimes(path, now, now).catch(() => {})
  // This program wrote it, and the name of the folder contains the versions of the formats.
  const index: SymbolsIndex = JSON.parse(text)
  const place = (file: string) => join(target, file)
  if (index.kind === 'proguard') return { ...index, mappingFile: place(index.mappingFile) }
  if (index.kind === 'dartmap') return { ...index, lookupFile: place(index.lookupFile) }
  if (index.kind === 'elf') {
    return { ...index, images: index.images.map((image) => ({ ...image, lookupFile: place(image.lookupFile) })) }
  }
  if (index.kind === 'sourcemap') {
    return { ...index, images: index.images.map((image) => ({ ...image, lookupFile: place(image.lookupFile) })) }
  }
  return { ...index, images: index.images.map((image) => ({ ...image, lookupFile: place(image.lookupFile) })) }
}

async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name)
    const used = await stat(join(folder, 'index.json')).catch(() => stat(folder).catch(() => undefined))
    if (used && Date.now() - used.mtimeMs > keptMs) await rm(folder, { recursive: true, force: true })
  }
}
