/**
 * This is the baseline for crash intake: a node:http server that unpacks an envelope, parses its items and inserts the
 * body, with one durable commit for the deliveries of 10 ms. `node bare-intake.ts PORT DATABASE`, where the database is
 * a file for SQLite or a URL of PostgreSQL.
 */
import { createServer, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'

const [port, path = ''] = process.argv.slice(2)
const insertBodies = path.startsWith('postgres:') ? await openPostgres() : openSqlite()

function openSqlite(): (bodies: Buffer[]) => Promise<void> {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table inbox (id integer primary key, body blob not null, received_at integer not null)')
  const insert = database.prepare('insert into inbox (body, received_at) values (?, ?)')
  return async (bodies) => {
    database.exec('begin')
    for (const body of bodies) insert.run(body, Date.now())
    database.exec('commit')
  }
}

async function openPostgres(): Promise<(bodies: Buffer[]) => Promise<void>> {
  const client = await openPostgresClient(path)
  await client.query('create table inbox (id bigserial primary key, body bytea not null, received_at bigint not null)')
  return async (bodies) => {
    const insert = (body: Buffer) =>
      client.query('insert into inbox (body, received_at) values ($1, $2)', [body, Date.now()])
    await Promise.all([client.query('begin'), ...bodies.map(insert), client.query('commit')])
  }
}

let waiting: { body: Buffer; response: ServerResponse }[] = []

async function flush(): Promise<void> {
  const batch = waiting
  waiting = []
  await insertBodies(batch.map(({ body }) => body))
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
    if (waiting.push({ body, response }) === 1) setTimeout(() => void flush(), 10)
  })
}).listen(Number(port), '127.0.0.1')

process.once('SIGTERM', () => process.exit(0))
