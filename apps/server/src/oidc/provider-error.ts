/**
 * Why a provider cannot sign anybody in: it does not answer (`unavailable`), or its answer is an error, or not to be
 * believed (`provider`).
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: 'provider' | 'unavailable'

  constructor(code: 'provider' | 'unavailable', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** How far causes are followed. */
const depthLimit = 8

/** Turns what a library threw into a `ProviderError`. A failed connection is found among the causes. */
export function toProviderError(thrown: unknown): ProviderError {
  let messages = ''
  let cause = thrown
  for (let depth = 0; depth < depthLimit && cause instanceof Error; depth++) {
    if (cause instanceof ProviderError) return cause
    messages += `${messages === '' ? '' : ': '}${describe(cause)}`
    cause = cause.cause
  }
  return new ProviderError('provider', messages.slice(0, 500), { cause: thrown })
}

/** The error and its description in the answer of an OAuth endpoint are properties of what the library throws. */
function describe(error: Error): string {
  const { error: code, error_description: description }: { error?: unknown; error_description?: unknown } =
    Object(error)
  const told = [code, description].filter((part) => typeof part === 'string').join(', ')
  return told === '' ? error.message : told
}
