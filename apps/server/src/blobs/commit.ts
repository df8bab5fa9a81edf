import type { StagedFile } from './blob-store.ts'
import { type BlobContext, keepFile, type KeptFile, removeKeys } from './records.ts'

/** The result of an upload, with the keys of the blobs that its rows refer to. */
export interface Committed<Result> {
  result: Result
  used: string[]
}

/**
 * Runs an upload, which keeps files in the blob store and inserts the rows that refer to them. Kept files that no row
 * refers to are removed again: the upload failed, or equal bytes were already stored.
 */
export async function commitUpload<Result>(
  context: Pick<BlobContext, 'blobs' | 'log'>,
  upload: (keep: (file: StagedFile) => Promise<KeptFile>) => Promise<Committed<Result>>,
): Promise<Result> {
  const kept: string[] = []
  const used = new Set<string>()
  const keep = async (file: StagedFile) => {
    const blob = await keepFile(context, file)
    kept.push(blob.key)
    return blob
  }
  try {
    const committed = await upload(keep)
    for (const key of committed.used) used.add(key)
    return committed.result
  } finally {
    await removeKeys(
      context,
      kept.filter((key) => !used.has(key)),
    )
  }
}
