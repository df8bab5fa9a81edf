import { RequestError } from '@fairlead/client'

/** A request to the server, and the key of the query that it answers. */
export interface KeyedRequest<Answer> {
  key: readonly unknown[]
  ask: () => Promise<Answer>
}

/** Answers that `start.ts` asked for while the dashboard itself was still loading, by the key of their query. */
const answers = new Map<string, Promise<unknown>>()

/** Sends a request now, for the query with its key to find the answer later. */
export function askEarly<Answer>({ key, ask }: KeyedRequest<Answer>): Promise<Answer> {
  const answer = ask()
  // A failure is dealt with by whoever takes the answer; until then it is no unhandled rejection.
  answer.catch(() => {})
  answers.set(JSON.stringify(key), answer)
  return answer
}

/**
 * The early answer if there is one, else a request sent now. An early answer counts once, and one that failed is asked
 * for again: it may have named a workspace that the account has left.
 */
export async function takeEarly<Answer>({ key, ask }: KeyedRequest<Answer>): Promise<Answer> {
  const name = JSON.stringify(key)
  const early = answers.get(name)
  if (!early) return ask()
  answers.delete(name)
  try {
    // Both ends name the same key for the same request, so the answer is of the same type.
    return (await early) as Answer
  } catch (error) {
    if (error instanceof RequestError && error.httpStatus === 401) throw error
    return ask()
  }
}
