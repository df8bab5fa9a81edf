import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Cuts X-Forwarded-For before its last entry that is no IP address, because rate limits and the audit log take the
 * client's address from it. Ports and brackets around addresses, which some proxies add, are removed. Register this
 * before anything reads `request.ip`.
 */
export function cleanForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    const given = headers['x-forwarded-for']
    if (given !== undefined) {
      const addresses = toAddresses([given].flat().join(','))
      if (addresses.length === 0) delete headers['x-forwarded-for']
      else headers['x-forwarded-for'] = addresses.join(', ')
    }
    done()
  })
}

function toAddresses(header: string): string[] {
  const addresses = header.split(',').map(toAddress)
  return addresses.slice(addresses.lastIndexOf('') + 1)
}

/** Returns the address without a port and brackets, or an empty text. */
function toAddress(entry: string): string {
  const text = entry.trim()
  if (isIP(text) > 0) return text
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  return isIP(address) > 0 ? address : ''
}
