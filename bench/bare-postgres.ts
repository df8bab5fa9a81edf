/**
 * The baseline for answers over PostgreSQL: a node:http server that finds the token and then the row by two prepared
 * statements of `pg`, and sends the row. `node bare-postgres.ts PORT DATABASE_URL`
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { Pool } from 'pg'

const [port, connectionString] = process.argv.slice(2)
const pool = new Pool({ connectionString, max: 10 })

const findToken = 'select workspace_id, expires_at from api_tokens where token_hash = $1'
const findBuild = `select builds.*, alias, platform, sha256 from builds
  join applications on applications.id = application_id join blobs on blobs.id = blob_id
  where builds.id = $1 and builds.workspace_id = $2`
const listBuilds = `select builds.*, alias, platform, sha256 from builds
  join applications on applications.id = application_id join blobs on blobs.id = blob_id
  where application_id = $1 and builds.workspace_id = $2 order by builds.id desc limit 50`

createServer((request, response) => {
  void answer(request.url ?? '', String(request.headers['x-service-token'])).then(
    (body) => {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(port), '127.0.0.1')

async function answer(url: string, token: string): Promise<string> {
  const hash = createHash('sha256').update(token).digest('hex')
  const tokens = await pool.query({ name: 'token', text: findToken, values: [hash] })
  const isList = url.includes('/builds?')
  const id = /\/(\d+)/g.exec(url.replace('/v1', ''))?.[1]
  const values = [id, tokens.rows[0]?.workspace_id]
  const { rows } = isList
    ? await pool.query({ name: 'list', text: listBuilds, values })
    : await pool.query({ name: 'get', text: findBuild, values })
  return JSON.stringify(isList ? rows : (rows[0] ?? null))
}

process.once('SIGTERM', () => process.exit(0))
