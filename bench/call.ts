import { readAnswer } from '../scripts/read-json.ts'

/** The administrator's token of the servers that the benches of crashes start. */
export const token = 'fl_token-of-the-bench-0123456789abcdefghij'

/** Calls the API of a server with the administrator's token. */
export async function call<Answer>(url: string, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return await readAnswer<Answer>(answer)
}
