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
  return cleanText(name, text.includes('\uFFFD') ? value : text)
}

/** Removes control characters from a text of a request. */
export function cleanText(name: string, text: string): string {
  if (text.length > textLimit) {
    throw new ApiError('invalidRequest', { faults: [{ source: name, detail: `is over ${textLimit} characters` }] })
  }
  return toCleanName(text).trim()
}

/** Returns the file name from Content-Disposition without folders, or null when the client sent none. */
export function readFileName(headers: IncomingHttpHeaders): string | null {
  const header = headers['content-disposition']
  if (header === undefined) return null
  return toFileName(parse(header).parameters.filename ?? '')
}

/** Returns a file name without folders, or null when nothing of it is left. */
export function toFileName(text: string): string | null {
  const name = toCleanName(text.split(/[\\/]/).at(-1) ?? '')
    .trim()
    .slice(0, 255)
  return name === '' || name === '.' || name === '..' ? null : name
}
