/** The calls to an S3-compatible object store that blobs need, over the AWS SDK, which is loaded only here. */
import { Readable } from 'node:stream'
import type {
  GetObjectCommandInput,
  ListMultipartUploadsCommandInput,
  ListMultipartUploadsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3'
import { invariant } from '@fairlead/invariant'
import type { ByteRange, PresignedDownload } from './blob-store.ts'
import type { S3Location } from '../settings/s3-location.ts'
import { endWhenSilent } from './silence.ts'
import { toStorageError } from './storage-error.ts'

/** How long the store may take to accept a connection, in milliseconds. */
const connectionTimeoutMs = 5000
/** Each request is tried this often, with growing pauses between. */
const maxAttempts = 4
/** Downloads are few and long, requests of the API many and short. */
const maxSockets = 200

export interface ListedObject {
  key: string
  modifiedAt: number
}

export interface UploadedPart {
  number: number
  etag: string
}

export type S3Objects = Awaited<ReturnType<typeof openS3Objects>>

/**
 * Opens no connection yet: access keys are looked up in the usual AWS places when the first request is made.
 *
 * Every function rejects with code `ENOENT` when the object is not there, and with `STORAGE_UNAVAILABLE` when the store
 * cannot be reached or refuses the request.
 */
export async function openS3Objects(location: S3Location) {
  const sdk = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const silenceMs = location.timeoutSeconds * 1000
  const createClient = (endpoint: string | null) =>
    new sdk.S3Client({
      region: location.region,
      forcePathStyle: location.pathStyle,
      maxAttempts,
      ...(endpoint !== null && { endpoint }),
      // Request signatures cover the SHA-256 of every part, so the store verifies the bytes without trailing checksums,
      // which Ceph and older MinIO refuse.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectionTimeoutMs,
        requestTimeout: silenceMs,
        throwOnRequestTimeout: true,
        socketTimeout: silenceMs,
        httpAgent: { keepAlive: true, maxSockets },
        httpsAgent: { keepAlive: true, maxSockets },
      },
    })
  const client = createClient(location.endpoint)
  const publicClient = location.publicEndpoint === null ? client : createClient(location.publicEndpoint)
  const Bucket = location.bucket
  const target = (key: string) => ({ Bucket, Key: location.prefix + key })
  /** Every call passes here, so that each error of the SDK becomes a `StorageError`. */
  const call = async <Answer>(answer: (client: S3Client) => Promise<Answer>): Promise<Answer> => {
    try {
      return await answer(client)
    } catch (error) {
      throw toStorageError(error)
    }
  }

  return {
    put: (key: string, bytes: Uint8Array) =>
      call(async (s3) => void (await s3.send(new sdk.PutObjectCommand({ ...target(key), Body: bytes })))),

    /** The size of an object in bytes. */
    findSize: (key: string) =>
      call(async (s3) => {
        const { ContentLength } = await s3.send(new sdk.HeadObjectCommand(target(key)))
        invariant(ContentLength !== undefined, 'S3 tells the size of an object')
        return ContentLength
      }),

    get: (key: string, range?: ByteRange): Promise<Readable> =>
      call(async (s3) => {
        const input: GetObjectCommandInput = target(key)
        if (range) input.Range = `bytes=${range.start}-${range.end}`
        const { Body } = await s3.send(new sdk.GetObjectCommand(input))
        invariant(Body instanceof Readable, 'on Node, the SDK answers with a stream of node:http')
        return endWhenSilent(Body, silenceMs)
      }),

    remove: (key: string) => call(async (s3) => void (await s3.send(new sdk.DeleteObjectCommand(target(key))))),

    async *list(): AsyncGenerator<ListedObject> {
      let ContinuationToken: string | undefined
      do {
        const page = await call((s3) =>
          s3.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: location.prefix, ContinuationToken })),
        )
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          yield { key: Key.slice(location.prefix.length), modifiedAt: LastModified?.getTime() ?? 0 }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },

    startUpload: (key: string) =>
      call(async (s3) => {
        const { UploadId } = await s3.send(new sdk.CreateMultipartUploadCommand(target(key)))
        invariant(UploadId !== undefined, 'S3 names an upload that it starts')
        return UploadId
      }),

    uploadPart: (key: string, uploadId: string, number: number, bytes: Uint8Array): Promise<UploadedPart> =>
      call(async (s3) => {
        const part = { ...target(key), UploadId: uploadId, PartNumber: number, Body: bytes }
        const { ETag: etag } = await s3.send(new sdk.UploadPartCommand(part))
        invariant(etag !== undefined, 'S3 tells the digest of a part')
        return { number, etag }
      }),

    completeUpload: (key: string, uploadId: string, parts: UploadedPart[]) =>
      call(async (s3) => {
        const MultipartUpload = { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) }
        await s3.send(new sdk.CompleteMultipartUploadCommand({ ...target(key), UploadId: uploadId, MultipartUpload }))
      }),

    abortUpload: (key: string, uploadId: string) =>
      call(async (s3) => {
        await s3.send(new sdk.AbortMultipartUploadCommand({ ...target(key), UploadId: uploadId }))
      }),

    /** Multipart uploads that were begun and neither completed nor aborted. */
    async *listUnfinished(): AsyncGenerator<{ key: string; uploadId: string; startedAt: number }> {
      let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
      while (marker) {
        const input: ListMultipartUploadsCommandInput = { Bucket, Prefix: location.prefix, ...marker }
        const page: ListMultipartUploadsCommandOutput = await call((s3) =>
          s3.send(new sdk.ListMultipartUploadsCommand(input)),
        )
        for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
          yield { key: Key.slice(location.prefix.length), uploadId: UploadId, startedAt: Initiated?.getTime() ?? 0 }
        }
        marker = page.IsTruncated
          ? { KeyMarker: page.NextKeyMarker ?? '', UploadIdMarker: page.NextUploadIdMarker ?? '' }
          : undefined
      }
    },

    /** A URL that downloads the object without any further check until it expires. Sends no request to the store. */
    presign: (key: string, { contentType, contentDisposition, expiresInSeconds }: PresignedDownload) =>
      getSignedUrl(
        publicClient,
        new sdk.GetObjectCommand({
          ...target(key),
          ResponseContentType: contentType,
          ...(contentDisposition !== undefined && { ResponseContentDisposition: contentDisposition }),
        }),
        { expiresIn: expiresInSeconds },
      ),

    check: () => call(async (s3) => void (await s3.send(new sdk.HeadBucketCommand({ Bucket })))),

    close(): void {
      client.destroy()
      publicClient.destroy()
    },
  }
}
