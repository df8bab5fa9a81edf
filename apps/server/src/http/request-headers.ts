import { ApiError, toCleanName } from '@fairlead/contract'
import { parse } from 'content-disposition'
import type { IncomingHttpHeaders } from 'node:http'

const textLimit = 1000

/**
 * Returns a required header.
 *
 * @throws {ApiError} invalidRequest naming the missing header
 */
export function requireHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = findHeader(headers, name)
  if (value === null) {
    throw new ApiError('invalidRequest', {
      detail: `The header ${name} is missing`,
      faults: [{ source: name, detail: 'is missing' }],
    })
  }
  return value
}

/** Returns a header as text, or null. Node decodes headers as Latin-1, so text that is valid UTF-8 is decoded again. */
export function findHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()]
  if (typeof value !== 'string' || value.trim() === '') return null
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  const decoded = text.includes('\uFFFD') ? value : text
  if (decoded.length > textLimit) {
    throw new ApiError('invalidRequest', { faults: [{ source: name, detail: `is over ${textLimit} characters` }] })
  }
  return toCleanName(decoded).trim()
}

/** Returns the file name from Content-Disposition without folders, or null when the client sent none. */
export function readFileName(headers: IncomingHttpHeaders): string | null {
  const header = headers['content-disposition']
  if (header === undefined) return null
  const { filename } = parse(header).parameters
  const name = toCleanName(filename?.split(/[\\/]/).at(-1) ?? '')
    .trim()
    .slice(0, 255)
  return name === '' || name === '.' || name === '..' ? null : name
}
