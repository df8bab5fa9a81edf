const lengthLimit = 1500

/**
 * Returns the path of this server that a sign-in ends at. Anything that a browser could read as an address of another
 * site, such as `//`, `/\` or a line break in between, becomes `/`.
 */
export function toReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > lengthLimit || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(given)) return '/'
  const url = URL.parse(given, 'http://this-server.invalid')
  if (url?.host !== 'this-server.invalid') return '/'
  const path = url.pathname + url.search + url.hash
  // `/.//host` is normalized to `//host`.
  return path.startsWith('//') || path.length > lengthLimit ? '/' : path
}
