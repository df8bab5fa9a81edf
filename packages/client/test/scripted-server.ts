import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface SeenRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Answers one request, whose body may not have arrived yet. */
export type Script = (request: IncomingMessage, response: ServerResponse) => void

/** A real HTTP server that answers the n-th request by the n-th script, and all further ones by the last. */
export interface ScriptedServer extends AsyncDisposable {
  url: string
  seen: SeenRequest[]
  /** Sets another script for requests that wait for "100 Continue". */
  onContinue(script: Script): void
}

export async function startScriptedServer(...scripts: Script[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = []
  let count = 0
  const server = createServer((request, response) => {
    const script = scripts[Math.min(count++, scripts.length - 1)]
    script?.(request, response)
    void buffer(request).then(
      (body) => seen.push({ method: request.method, url: request.url, headers: request.headers, body }),
      () => {},
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const { port } = address
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    onContinue: (script) => void server.on('checkContinue', script),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers when the body has arrived. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (request, response) => {
    request.on('end', () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
    })
    request.resume()
  }
}

/** Breaks the connection without an answer. */
export const hangUp: Script = (request) => request.socket.destroy()

/** Never answers. */
export const staySilent: Script = () => {}
