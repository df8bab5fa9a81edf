import { RequestError } from '../request-error.ts'

const maxRedirects = 5
/** Headers without a secret, which another host may see. Every other header stays with the server it was meant for. */
const publicHeaders = new Set(['accept', 'accept-encoding', 'range', 'if-range', 'if-none-match', 'if-modified-since'])

interface FollowedRequest {
  method: string
  headers: Record<string, string>
  body: string | Blob | null
  signal: AbortSignal
}

/**
 * Calls `fetch` and follows redirects, as a server gives them that keeps its files in an object store. `fetch` itself
 * drops `Authorization` on the way to another origin, but not `X-Service-Token`, which would hand the token to whoever
 * is there.
 *
 * Only for Node: a browser hides the target of a redirect, and its CORS preflight keeps the token from other origins.
 */
export async function followRedirects(url: string, { headers, ...rest }: FollowedRequest): Promise<Response> {
  const { origin } = new URL(url)
  let [target, sent] = [url, headers]
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await fetch(target, { ...rest, headers: sent, redirect: 'manual' })
    const location = response.headers.get('Location')
    if (response.status < 300 || response.status >= 400 || response.status === 304 || location === null) return response
    await response.body?.cancel()
    const next = URL.parse(location, target)
    const isWeb = next?.protocol === 'https:' || next?.protocol === 'http:'
    // A body belongs to the server it was meant for, and so does a request that changes something.
    if (!next || !isWeb || (rest.method !== 'GET' && rest.method !== 'HEAD')) {
      throw RequestError.redirected(response.status, location)
    }
    // Once the request has left its origin, a redirect back does not bring the token back: the other host chose it.
    if (next.origin !== origin) sent = withoutSecrets(sent)
    target = next.href
  }
  throw RequestError.redirected(302, target)
}

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => publicHeaders.has(name.toLowerCase())))
}
