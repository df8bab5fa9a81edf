import type { Answer, Exchange, PlainRequest } from '@fairlead/client'

/** An answer is as old as its request, so a page that opens later than this asks again. In milliseconds. */
const keptMs = 60_000

/** The answers to requests of `start.ts`, which were sent while the dashboard was still loading, by their URL. */
const early = new Map<string, { answer: Promise<Answer>; askedAt: number }>()

/** The URLs that the dashboard has asked for itself, because `start.ts` had not done so before. */
const asked = new Set<string>()

/** Sends a request of `start.ts`, and keeps the answer for the dashboard, which takes it when it sends the same. */
export async function askEarly(url: string, request: PlainRequest, send: Exchange): Promise<Answer> {
  if (asked.has(url)) throw new Error(`the dashboard itself has asked for ${url}`)
  const answer = send(url, request).then(readWhole)
  // `takeEarly` handles a failure; until then it must not count as an unhandled rejection.
  answer.catch(() => {})
  early.set(url, { answer, askedAt: performance.now() })
  return answer
}

/**
 * Sends a request of the dashboard, or takes the early answer to it, once. A failed one is requested again, because it
 * may be from before the sign-in, or have named a workspace that the account has left.
 */
export async function takeEarly(url: string, request: PlainRequest, send: Exchange): Promise<Answer> {
  if (request.method !== 'GET') {
    // A write may change whatever was read before it.
    early.clear()
    return send(url, request)
  }
  const found = early.get(url)
  early.delete(url)
  if (performance.now() < keptMs) asked.add(url)
  if (!found || performance.now() - found.askedAt > keptMs) return send(url, request)
  const answer = await found.answer.catch(() => undefined)
  return answer?.ok === true ? answer : send(url, request)
}

/** Reads the body at once, so that the first look and the dashboard can both have it. */
async function readWhole(answer: Answer): Promise<Answer> {
  const content = await answer.text()
  const { ok, status, headers, body } = answer
  return { ok, status, headers, body, text: async () => content }
}
