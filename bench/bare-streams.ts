/**
 * A bare `node:http` server with the port of its argument: GET opens a stream of server-sent events, POST writes an
 * event of the same length as Fairlead's to all of them. It shows what a stream costs Node itself.
 */
import { createServer, type ServerResponse } from 'node:http'

const streams = new Set<ServerResponse>()
let last = 0

createServer((request, response) => {
  if (request.method === 'POST') {
    const data = JSON.stringify({ kind: 'application', change: 'changed', applicationId: 1, ids: [1] })
    for (const stream of streams) stream.write(`event: change\ndata: ${data}\nid: bare-${++last}\n\n`)
    request.resume().once('end', () => response.end('{}'))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'close' })
  response.write(': bare\n\n')
  streams.add(response)
  response.once('close', () => streams.delete(response))
}).listen(Number(process.argv[2]), '127.0.0.1')
