import { CliError } from '../cli-error.ts'

/** Addresses of this machine, where a server without a certificate is usual. */
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i

/** Normalizes the address of a server as people type it, without a slash at its end. */
export function parseServerUrl(text: string): string {
  const scheme = localHost.test(text) ? 'http' : 'https'
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`
  const url = URL.parse(withScheme)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '') {
    throw new CliError('usage', `${JSON.stringify(text)} is not the address of a server`, {
      fix: 'Write it as in a browser, for example https://builds.example.com',
    })
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Whether a text is an address rather than the name of a login. */
export function looksLikeUrl(text: string): boolean {
  return text.includes('://') || text.includes('.') || localHost.test(text)
}
