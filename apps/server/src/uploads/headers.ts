import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@fairlead/contract'
import type { Checksum } from '../blobs/receive-part.ts'
import { cleanText, findHeader, readFileName, toFileName } from '../http/request-headers.ts'
import type { NewUpload } from './create.ts'

/** The only supported version of the tus protocol. */
export const tusVersion = '1.0.0'
export const tusExtensions = 'creation,creation-with-upload,checksum,expiration,termination'
const algorithms = { sha1: 20, sha256: 32 } as const
export const tusAlgorithms = Object.keys(algorithms).join(',')

const maxMetadataLength = 8192

/** @throws {ApiError} unknownTusVersion */
export function checkTusVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === tusVersion) return
  throw new ApiError('unknownTusVersion', { headers: { 'tus-version': tusVersion } })
}

/** @throws {ApiError} notOffsetStream */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/offset+octet-stream') throw new ApiError('notOffsetStream')
}

/** @throws {ApiError} invalidRequest */
export function requireOffset(headers: IncomingHttpHeaders): number {
  return requireNumber(headers, 'Upload-Offset', 0)
}

/**
 * Reads the metadata of an upload: from the headers that an upload by one request has too, or from `Upload-Metadata`.
 *
 * @throws {ApiError} invalidRequest
 */
export function readNewUpload(headers: IncomingHttpHeaders): NewUpload {
  const metadata = parseMetadata(headers['upload-metadata'])
  const find = (header: string, key: string) => findHeader(headers, header) ?? metadata.get(key) ?? null
  const alias = find('X-Service-Application-Alias', 'alias')
  if (alias === null || alias === '') throw refuse('X-Service-Application-Alias', 'is missing')
  return {
    alias,
    length: requireNumber(headers, 'Upload-Length', 1),
    fileName: readFileName(headers) ?? toFileName(metadata.get('filename') ?? ''),
    source: {
      branch: find('X-Service-Branch', 'branch'),
      commit: find('X-Service-Commit', 'commit'),
      ciUrl: find('X-Service-CI-Url', 'ciUrl'),
    },
    idempotencyKey: findHeader(headers, 'Idempotency-Key'),
  }
}

/** @throws {ApiError} invalidRequest */
export function readChecksum(headers: IncomingHttpHeaders): Checksum | null {
  const value = headers['upload-checksum']
  if (value === undefined) return null
  const [, algorithm, encoded = ''] = /^(sha1|sha256) ([A-Za-z0-9+/=]{1,100})$/.exec(String(value)) ?? []
  const digest = Buffer.from(encoded, 'base64')
  if ((algorithm !== 'sha1' && algorithm !== 'sha256') || digest.length !== algorithms[algorithm]) {
    throw refuse('Upload-Checksum', `must be one of ${tusAlgorithms}, a space and the digest in Base64`)
  }
  return { algorithm, digest }
}

/** RFC 7240: a client that prefers it gets the build as the body of the last answer. */
export function prefersBuild(headers: IncomingHttpHeaders): boolean {
  return /(^|,)\s*return=representation\s*(,|;|$)/i.test(String(headers.prefer ?? ''))
}

function requireNumber(headers: IncomingHttpHeaders, name: string, least: number): number {
  const value = headers[name.toLowerCase()]
  const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : -1
  if (number < least) throw refuse(name, `must be a whole number from ${least} on`)
  return number
}

function parseMetadata(header: string | string[] | undefined): Map<string, string> {
  const text = typeof header === 'string' ? header : ''
  if (text.length > maxMetadataLength) throw refuse('Upload-Metadata', `is over ${maxMetadataLength} characters`)
  const metadata = new Map<string, string>()
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [, key, value = ''] = /^ *([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/=_-]*))? *$/.exec(pair) ?? []
    if (key === undefined) throw refuse('Upload-Metadata', 'must be pairs of a key and a value in Base64')
    metadata.set(key, cleanText(`Upload-Metadata ${key}`, Buffer.from(value, 'base64').toString('utf8')))
  }
  return metadata
}

function refuse(source: string, detail: string): ApiError {
  return new ApiError('invalidRequest', { detail: `The header ${source} ${detail}`, faults: [{ source, detail }] })
}
