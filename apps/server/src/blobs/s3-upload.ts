import { type FileHandle, open } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { StagedFile } from './blob-store.ts'
import type { S3Objects, UploadedPart } from './s3-objects.ts'

/** S3 takes parts of 5 MiB to 5 GiB and at most 10,000 of them. */
const minPartSize = 8 * 2 ** 20
const maxParts = 10_000
/** With the size of a part this bounds the memory of an upload: 32 MiB up to 80 GiB of file. */
const partsAtOnce = 4

/**
 * Copies a staged file into the object store. Files of more than a part go as a multipart upload, which is aborted when
 * any part of it fails.
 *
 * @throws {StorageError}
 */
export async function uploadStagedFile(objects: S3Objects, staged: StagedFile, key: string): Promise<void> {
  await using file = await open(staged.path)
  if (staged.size <= minPartSize) return objects.put(key, await readRange(file, 0, staged.size))
  const uploadId = await objects.startUpload(key)
  try {
    await completeUpload(objects, key, uploadId, staged.size, await uploadParts(objects, key, uploadId, file, staged))
  } catch (error) {
    // When this fails as well, the sweep for unfinished uploads finds it.
    await objects.abortUpload(key, uploadId).catch(() => {})
    throw error
  }
}

async function uploadParts(objects: S3Objects, key: string, uploadId: string, file: FileHandle, staged: StagedFile) {
  const partSize = Math.max(minPartSize, Math.ceil(staged.size / maxParts))
  const limit = pLimit(partsAtOnce)
  const failed = new AbortController()
  const uploads: Promise<UploadedPart>[] = []
  for (let start = 0, number = 1; start < staged.size; start += partSize, number++) {
    const size = Math.min(partSize, staged.size - start)
    const upload = async () => {
      failed.signal.throwIfAborted()
      return objects.uploadPart(key, uploadId, number, await readRange(file, start, size))
    }
    uploads.push(limit(upload))
  }
  try {
    return await Promise.all(uploads)
  } catch (error) {
    failed.abort(error)
    // Parts that are still being sent read the file, and would arrive after the abort.
    await Promise.allSettled(uploads)
    throw error
  }
}

/**
 * When the answer to a completion is lost, the retry is told that there is no such upload. The object itself then says
 * whether the upload was completed.
 */
async function completeUpload(
  objects: S3Objects,
  key: string,
  uploadId: string,
  size: number,
  parts: UploadedPart[],
): Promise<void> {
  try {
    await objects.completeUpload(key, uploadId, parts)
  } catch (error) {
    if ((await objects.findSize(key).catch(() => -1)) !== size) throw error
  }
}

/** Reads bytes of a local file into memory. */
export async function readRange(file: FileHandle, start: number, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, start + filled)
    if (bytesRead === 0) throw new Error('a received file is shorter than it was')
    filled += bytesRead
  }
  return bytes
}
