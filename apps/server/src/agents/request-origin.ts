import { ApiError } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Refuses requests that a browser sends for a page of somebody else. A name of an attacker may point to this machine
 * (DNS rebinding), so a server that is reached as a loopback address accepts no other name.
 *
 * @throws {ApiError} forbidden
 */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>, baseUrl: string): void {
  const base = new URL(baseUrl)
  if (headers.origin !== undefined && headers.origin !== base.origin) {
    throw new ApiError('forbidden', { detail: 'The Origin header is not that of this server' })
  }
  if (loopback.test(base.hostname) && !loopback.test(toHostname(headers.host))) {
    throw new ApiError('forbidden', { detail: 'The Host header is not that of this server' })
  }
}

function toHostname(host: string | undefined): string {
  return URL.parse(`http://${host ?? ''}`)?.hostname ?? ''
}
