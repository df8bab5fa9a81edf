import type { AppContext } from '../context.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import type { UploadedFile } from './upload.ts'

/** The file of an upload that is the whole body of one request. */
export function stageBody({ blobs, config }: Pick<AppContext, 'blobs' | 'config'>, body: UploadBody): UploadedFile {
  return {
    size: body.size,
    stage: async () =>
      blobs.staging.receive(body.open(), {
        maxBytes: config.maxUploadBytes,
        idleMs: config.uploadIdleMs,
        announcedSize: body.size ?? undefined,
      }),
  }
}
