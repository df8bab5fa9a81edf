import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * Warns once when a request from an address that is no trusted proxy has an X-Forwarded-For header. Then either a proxy
 * is missing in `FAIRLEAD_TRUST_PROXY`, and all its users share one rate limit, or somebody forges the header.
 */
export function warnOfForwardedHeaders(app: FastifyInstance, log: Logger): void {
  let isWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined && (request.ips ?? []).length < 2) {
      isWarned = true
      const address = request.socket.remoteAddress
      log.warn(
        { address },
        'X-Forwarded-For from an address that FAIRLEAD_TRUST_PROXY does not name is ignored; this is logged once',
      )
    }
    done()
  })
}
