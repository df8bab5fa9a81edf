import type { FastifyRequest } from 'fastify'
import { createIsbotFromList, list } from 'isbot'

/**
 * Browsers without a window count: mail filters that use one can name any other browser as well, so leaving out those
 * that do not would promise too much, and some people's tools are such browsers.
 */
const isBot = createIsbotFromList(list.filter((pattern) => !/headless/i.test(pattern)))

const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/**
 * Tells whether a person's browser, on a phone or a desktop, asked for a page to show it. Browsers say of themselves
 * when they only fetch it in advance, and programs that make previews for chats say what they are.
 */
export function isBrowserVisit({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const agent = headers['user-agent'] ?? ''
  if (method !== 'GET' || !agent.startsWith('Mozilla/5.0 (') || isBot(agent)) return false
  const destination = headers['sec-fetch-dest'] ?? 'document'
  if (destination !== 'document' && destination !== 'iframe') return false
  return !purposes.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
}
