import type { request } from 'node:http'

interface Http {
  request: typeof request
}

/**
 * Loads the HTTP client of Node for a URL. An import of `node:http` reads all its exports, and one of them loads
 * `fetch`, which takes 40 ms of CPU time; `getBuiltinModule`, which Node 20.16 and later have, does not.
 */
export async function loadHttp(url: string): Promise<Http> {
  if (url.startsWith('https:')) return await import('node:https')
  // Older releases of Node do not have this function.
  const runtime: { getBuiltinModule?: (name: 'node:http') => Http } = process
  return runtime.getBuiltinModule?.('node:http') ?? (await import('node:http'))
}
