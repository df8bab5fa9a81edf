import type { StagedFile } from './blob-store.ts'
import { type BlobContext, keepFile, type KeptFile, removeKeys } from './records.ts'

/** What an upload wrote: the keys that its rows name, and whatever else it is asked for. */
export interface Committed<Result> {
  result: Result
  used: string[]
}

/**
 * Runs what keeps the files of an upload and inserts the rows that name them. A kept file that no row names in the
 * end, because equal bytes were there or something failed, is removed again.
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
