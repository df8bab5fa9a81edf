/** Why a request to an address that a user gave has no answer. */
export type OutboundCode = 'addressRefused' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset'

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundCode

  constructor(code: OutboundCode, options: { cause?: unknown } = {}) {
    super(`The request ended with ${code}.`, options)
    this.code = code
  }
}
