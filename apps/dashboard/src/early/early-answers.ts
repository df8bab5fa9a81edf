/** A request to the server, and the key of the query that it answers. */
export interface KeyedRequest<Answer> {
  key: readonly unknown[]
  ask: () => Promise<Answer>
}

/** Answers that `start.ts` requested while the dashboard itself was still loading, by the key of their query. */
const answers = new Map<string, Promise<unknown>>()

/** Sends a request now. The query with the same key takes the answer later. */
export function askEarly<Answer>({ key, ask }: KeyedRequest<Answer>): Promise<Answer> {
  const answer = ask()
  // `takeEarly` handles a failure; until then it must not count as an unhandled rejection.
  answer.catch(() => {})
  answers.set(JSON.stringify(key), answer)
  return answer
}

/**
 * Returns the early answer if there is one, else sends the request now. An early answer is used once. A failed one is
 * requested again, because it may be from before the sign-in, or have named a workspace that the account has left.
 */
export async function takeEarly<Answer>({ key, ask }: KeyedRequest<Answer>): Promise<Answer> {
  const name = JSON.stringify(key)
  const early = answers.get(name)
  if (!early) return ask()
  answers.delete(name)
  try {
    // `start.ts` and the query use one key for one request, so the answer has the type that the query expects.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
    return (await early) as Answer
  } catch {
    return ask()
  }
}
