/**
 * The path and query that a request line names. Proxies and some clients send the whole address. A path that cannot be
 * decoded is taken as it stands: it names nothing, and it is the route's to say so.
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
