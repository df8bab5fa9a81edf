/** The baseline for small answers: a node:http server that always sends one file. `node bare-server.ts PORT FILE` */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file] = process.argv.slice(2)
const body = readFileSync(file!)

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
  response.end(body)
}).listen(Number(port), '127.0.0.1')

process.once('SIGTERM', () => process.exit(0))
