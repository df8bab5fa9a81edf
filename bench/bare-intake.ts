/**
 * This is the baseline for crash intake: a node:http server that unpacks an envelope, parses its items and inserts the
 * body into SQLite, with one durable commit for the deliveries of 10 ms. `node bare-intake.ts PORT DATABASE`
 */
import { createServer, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'

const [port, path] = process.argv.slice(2)
const database = new DatabaseSync(path!)
database.exec('pragma journal_mode = wal; pragma synchronous = full')
database.exec('create table inbox (id integer primary key, body blob not null, received_at integer not null)')
const insert = database.prepare('insert into inbox (body, received_at) values (?, ?)')

let waiting: { body: Buffer; response: ServerResponse }[] = []

function flush(): void {
  const batch = waiting
  waiting = []
  database.exec('begin')
  for (const { body } of batch) insert.run(body, Date.now())
  database.exec('commit')
  for (const { response } of batch) response.end('{"id":"00000000000000000000000000000000"}')
}

createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body = Buffer.concat(pieces)
    if (body.length === 0) {
      response.end()
      return
    }
    for (const line of gunzipSync(body).toString().split('\n')) if (line !== '') JSON.parse(line)
    if (waiting.push({ body, response }) === 1) setTimeout(flush, 10)
  })
}).listen(Number(port), '127.0.0.1')

process.once('SIGTERM', () => process.exit(0))
