import { ApiError } from '@fairlead/contract'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import type { OfferedCli } from './offered-cli.ts'

const params = z.object({ file: z.string().max(200) })

/**
 * Offers the packed command line to everyone, so that CI jobs need no package registry. A job names the version that it
 * wants; another one is refused, because it would not be the one that the job was tried with.
 */
export function addCliDownloadRoutes(app: App, offered: OfferedCli | undefined): void {
  app.get('/cli/:file', { schema: { hide: true, params } }, (request, reply) => {
    if (request.params.file !== offered?.fileName) {
      const has = offered ? `it offers /cli/${offered.fileName}` : 'it was started without one; "npm ci" packs it'
      throw new ApiError('notFound', { detail: `This server does not have that version of the command line: ${has}` })
    }
    const etag = `"${offered.sha256}"`
    reply.headers({ etag, 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/gzip').send(offered.bytes)
  })
}
