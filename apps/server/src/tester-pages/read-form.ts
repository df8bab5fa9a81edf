import { ApiError } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'

/** The forms of testers have one field, and nobody has signed in to send them. */
const formLimit = 16 * 1024

/** Takes the bodies of a scope as bytes, whatever their type: mail programs send both types of forms (RFC 8058). */
export function acceptForms(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: formLimit }, (_request, body, done) => done(null, body))
}

/** @throws {ApiError} invalidRequest */
export async function readForm({ body, headers }: FastifyRequest): Promise<FormData> {
  if (!Buffer.isBuffer(body)) throw new ApiError('invalidRequest')
  try {
    const contentType = headers['content-type'] ?? ''
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    throw new ApiError('invalidRequest', { cause: error })
  }
}
