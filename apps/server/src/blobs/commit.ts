import { DatabaseUnavailable } from '../db/database-unavailable.ts'
import type { StagedFile } from './blob-store.ts'
import { type BlobContext, keepFile, type KeptFile, removeKeys } from './records.ts'

/** The result of an upload, with the keys of the blobs that its rows refer to. */
export interface Committed<Result> {
  result: Result
  used: string[]
}

/**
 * Runs an upload, which keeps files in the blob store and inserts the rows that refer to them. Kept files that no row
 * refers to are removed again: the upload failed, or equal bytes were already stored. Only when the database did not
 * answer, they stay for the sweep, because the rows that refer to them may have been committed.
 */
export async function commitUpload<Result>(
  context: Pick<BlobContext, 'blobs' | 'log'>,
  upload: (keep: (file: StagedFile) => Promise<KeptFile>) => Promise<Committed<Result>>,
): Promise<Result> {
  const kept: string[] = []
  const keep = async (file: StagedFile) => {
    const blob = await keepFile(context, file)
    kept.push(blob.key)
    return blob
  }
  try {
    const { result, used } = await upload(keep)
    await removeKeys(
      context,
      kept.filter((key) => !used.includes(key)),
    )
    return result
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) await removeKeys(context, kept)
    throw error
  }
}
