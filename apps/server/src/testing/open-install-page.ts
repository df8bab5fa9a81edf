import type { Answer, TestServer } from './start-server.ts'
import { type UserAgent, userAgents } from './user-agents.ts'

export interface InstallVisit {
  agent?: UserAgent
  language?: string
  headers?: Record<string, string>
}

/**
 * Opens an install link as a browser would, without a token. Only the link's path is used, because base URLs in tests
 * need not be reachable.
 */
export async function openInstallPage(
  server: TestServer,
  installUrl: string,
  { agent = 'windows', language = 'en', headers = {} }: InstallVisit = {},
): Promise<Answer> {
  return server.call('GET', new URL(installUrl).pathname, {
    token: null,
    headers: {
      Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'Accept-Language': language,
      'User-Agent': userAgents[agent],
      ...headers,
    },
  })
}

/** Returns the targets of a page's links, with entities decoded. */
export function listLinks(page: string): string[] {
  return [...page.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}
