import { ApiError } from '@fairlead/contract'
import type { IncomingHttpHeaders } from 'node:http'
import { findHeader, requireHeader } from '../http/request-headers.ts'

const maxKeyLength = 200
const maxShards = 1000

/** The headers of an upload of test reports. */
export interface ReportHeaders {
  alias: string
  branch: string | null
  commit: string | null
  baseCommit: string | null
  ciUrl: string | null
  key: string | null
  attempt: number
  /** Null for a run that is not divided into shards. */
  shard: { index: number; count: number } | null
  suite: string | null
  buildId: number | null
  skipBroken: boolean
}

/** @throws {ApiError} invalidRequest naming the header that is missing or malformed */
export function readReportHeaders(headers: IncomingHttpHeaders): ReportHeaders {
  return {
    alias: requireHeader(headers, 'X-Service-Application-Alias'),
    branch: findHeader(headers, 'X-Service-Branch'),
    commit: findHeader(headers, 'X-Service-Commit'),
    baseCommit: findHeader(headers, 'X-Service-Base-Commit'),
    ciUrl: findHeader(headers, 'X-Service-CI-Url'),
    key: findShortText(headers, 'X-Service-Run-Key'),
    attempt: findNumber(headers, 'X-Service-Run-Attempt') ?? 1,
    shard: findShard(headers),
    suite: findShortText(headers, 'X-Service-Suite'),
    buildId: findNumber(headers, 'X-Service-Build-Id'),
    skipBroken: findFlag(headers, 'X-Service-Skip-Broken'),
  }
}

/** A header that was sent empty is a fault: a variable of the CI service was not set. */
function findText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = findHeader(headers, name)
  if (value === null && headers[name.toLowerCase()] !== undefined) refuse(name, 'must not be empty')
  return value
}

function findShortText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = findText(headers, name)
  if (value !== null && value.length > maxKeyLength) refuse(name, `must have at most ${maxKeyLength} characters`)
  return value
}

function findNumber(headers: IncomingHttpHeaders, name: string): number | null {
  const value = findText(headers, name)
  if (value !== null && !/^[1-9]\d{0,8}$/.test(value)) refuse(name, 'must be an integer of at least 1')
  return value === null ? null : Number(value)
}

function findShard(headers: IncomingHttpHeaders): ReportHeaders['shard'] {
  const name = 'X-Service-Shard'
  const value = findText(headers, name)
  if (value === null) return null
  const [, index, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(value) ?? refuse(name, 'must look like 2/4')
  const shard = { index: Number(index), count: Number(count) }
  if (shard.index > shard.count || shard.count > maxShards) {
    refuse(name, `must be i/n with 1 ≤ i ≤ n ≤ ${maxShards}`)
  }
  return shard
}

function findFlag(headers: IncomingHttpHeaders, name: string): boolean {
  const value = findText(headers, name)
  if (value !== null && value !== 'true' && value !== 'false') refuse(name, 'must be true or false')
  return value === 'true'
}

function refuse(name: string, detail: string): never {
  throw new ApiError('invalidRequest', {
    detail: `The header ${name} ${detail}`,
    faults: [{ source: name, detail }],
  })
}
