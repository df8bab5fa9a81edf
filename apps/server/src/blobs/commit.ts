import type { StagedFile } from './blob-store.ts'
import { type BlobContext, keepFile, type KeptFile, removeKeys } from './records.ts'

/** The result of an upload's transaction: the blob keys that its rows refer to, and a value for the caller. */
export interface Committed<Result> {
  result: Result
  used: string[]
}

/**
 * Stores the files of an upload and inserts the rows that refer to them. Files that no row refers to afterwards,
 * because equal bytes were already stored or a step failed, are removed again.
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
