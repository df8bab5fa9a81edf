import { ProviderError } from './provider-error.ts'

/** Metadata, keys, tokens and claims are a few kilobytes; the groups of a person may be many. */
const bodyLimit = 2 ** 20
const timeoutMs = 10_000

/** What the libraries of OpenID Connect pass on of a request. */
interface FetchOptions {
  method: string
  headers: Headers | Record<string, string>
  body?: RequestInit['body'] | undefined
  signal?: AbortSignal | undefined
}

/**
 * Fetches from a provider, with limits on time and size, and without following redirects.
 *
 * @throws {ProviderError} unavailable, when no answer comes or the provider says that it failed
 */
export async function fetchBounded(url: string, { method, headers, body, signal }: FetchOptions): Promise<Response> {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await fetch(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const content = await readBounded(answer)
    if (answer.status >= 500 || answer.status === 429) {
      throw new ProviderError('unavailable', `${new URL(url).host} answered ${answer.status}`)
    }
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : content, { status: answer.status, headers: answer.headers })
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw new ProviderError('unavailable', describeFailure(error), { cause: error })
  }
}

async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > bodyLimit) throw new ProviderError('provider', 'an answer of the provider is larger than 1 MiB')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** Node says only `fetch failed`, and names the reason in the cause. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  if (error.name === 'TimeoutError') return 'no answer came within 10 seconds'
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
