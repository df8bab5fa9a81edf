import type { Answer, TestServer } from './start-server.ts'

export interface SentFeedback {
  text?: string
  pictures?: { name: string; bytes: Buffer }[]
  fields?: Record<string, string>
  accept?: string
  headers?: Record<string, string>
}

/** Sends feedback to the address of a page, as its form does, without a token. */
export async function sendFeedback(
  server: Pick<TestServer, 'call'>,
  pageUrl: string,
  { text, pictures = [], fields = {}, accept = 'application/json', headers = {} }: SentFeedback = {},
): Promise<Answer> {
  const body = new FormData()
  if (text !== undefined) body.append('text', text)
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const { name, bytes } of pictures) body.append('pictures', new Blob([new Uint8Array(bytes)]), name)
  const { pathname, search } = new URL(pageUrl)
  return server.call('POST', `${pathname}/feedback${search}`, {
    token: null,
    headers: { Accept: accept, ...headers },
    body,
  })
}
