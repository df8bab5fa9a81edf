/**
 * Returns the path and query of a request line. Proxies and some clients send an absolute URL. In a path with invalid
 * percent-encoding, every percent sign is escaped, so that the router answers 404 instead of failing.
 */
export function readRequestTarget(url: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  if (!target.includes('%')) return target
  const [path = '', ...query] = target.split('?')
  return [isDecodable(path) ? path : path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
