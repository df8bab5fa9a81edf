import type { Socket } from 'node:net'
import { ApiError } from '@fairlead/contract'
import type { Logger } from 'pino'
import { toErrorObject } from './errors.ts'

/** Answers bytes that are not valid HTTP, for which Fastify creates no request. */
export function createClientErrorHandler(log: Logger) {
  return (thrown: Error & { code?: string }, socket: Socket): void => {
    if (thrown.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const error = new ApiError(toCode(thrown.code), { cause: thrown })
    const body = toErrorObject(error)
    log.info({ errorId: body.id, status: error.status, cause: thrown.message }, error.message)
    const text = JSON.stringify(body)
    const head = [
      `HTTP/1.1 ${error.status} ${error.title}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  }
}

function toCode(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slowRequest' : 'malformedRequest'
}
