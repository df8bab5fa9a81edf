import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { requireAddress } from '../http/listening-address.ts'

export interface TokenProxy extends AsyncDisposable {
  /** The address of the proxy, which a client without a token calls. */
  url: string
  /** Where requests go, once there is a server. */
  target: { url: string; token: string } | undefined
}

/** Starts a proxy that adds an API token to requests and changes nothing else, for clients that can send none. */
export async function startTokenProxy(): Promise<TokenProxy> {
  const server = createServer((incoming, outgoing) => {
    const { target } = proxy
    if (target === undefined) {
      outgoing.writeHead(503).end()
      return
    }
    const { hostname, port } = new URL(target.url)
    const headers = { ...incoming.headers, 'x-service-token': target.token }
    const { method, url: path } = incoming
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: TokenProxy = {
    url: `http://localhost:${requireAddress(server).port}`,
    target: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
