/** Tests downloads that a real nginx sends after the server has checked the request (`X-Accel-Redirect`). */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import type { Build } from '@fairlead/contract'
import { findFreePort } from '../scripts/free-port.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'
import { readAnswer } from '../scripts/read-json.ts'

const headers = { 'X-Service-Token': token }

describe('nginx in front of the server', () => {
  const opened = new AsyncDisposableStack()
  const bytes = new Uint8Array(
    writeApk({
      packageName: 'com.example.shop',
      label: 'Shop',
      files: [{ name: 'filling', data: Buffer.alloc(300_000, 7) }],
    }),
  )
  let front: string
  let build: Build
  let path: string

  before(async () => {
    const folder = opened.use(await openTemporaryFolder())
    await chmod(folder.path, 0o755)
    const dataDir = join(folder.path, 'data')
    const port = await findFreePort()
    front = `http://127.0.0.1:${port}`
    const server = opened.use(
      await startServerProcess({
        dataDir,
        env: {
          FAIRLEAD_ACCEL: 'x-accel-redirect:/internal/',
          FAIRLEAD_BASE_URL: front,
          FAIRLEAD_TRUST_PROXY: 'loopback',
        },
      }),
    )
    await startNginx(opened, folder.path, { port, server: server.url, blobs: join(dataDir, 'blobs') })
    const json = { ...headers, 'Content-Type': 'application/json' }
    const application = JSON.stringify({ name: 'Shop', alias: 'shop', platform: 'android' })
    await fetch(`${front}/v1/applications`, { method: 'POST', headers: json, body: application })
    const upload = { ...headers, 'X-Service-Application-Alias': 'shop' }
    const answer = await fetch(`${front}/v2/builds`, { method: 'POST', headers: upload, body: bytes })
    assert.equal(answer.status, 201)
    build = await readAnswer<Build>(answer)
    path = `${front}/v1/builds/${build.id}/binary`
  })
  after(() => opened.disposeAsync())

  it('sends the file with the type and the name that the server chose', async () => {
    const answer = await fetch(path, { headers })
    assert.equal(answer.status, 200)
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes)
    assert.equal(answer.headers.get('content-length'), String(bytes.length))
    assert.equal(answer.headers.get('content-type'), 'application/vnd.android.package-archive')
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename=/)
    assert.equal(answer.headers.get('x-accel-redirect'), null)
  })

  it('resumes a broken download, and answers 304 when nothing has changed', async () => {
    const whole = await fetch(path, { headers })
    const etag = whole.headers.get('etag') ?? ''
    await whole.arrayBuffer()
    assert.notEqual(etag, '')
    const rest = await fetch(path, { headers: { ...headers, Range: 'bytes=200000-', 'If-Range': etag } })
    assert.equal(rest.status, 206)
    assert.equal(rest.headers.get('content-range'), `bytes 200000-${bytes.length - 1}/${bytes.length}`)
    assert.deepEqual(new Uint8Array(await rest.arrayBuffer()), bytes.subarray(200_000))
    assert.equal((await fetch(path, { headers: { ...headers, 'If-None-Match': etag } })).status, 304)
  })

  it('sends an install too, from the link of a tester', async () => {
    const page = await (
      await fetch(build.installUrl, { headers: { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15)' } })
    ).text()
    const [, link = ''] = /href="([^"]*\/binary\/[^"]*)"/.exec(page) ?? []
    const answer = await fetch(new URL(link, front))
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes)
  })

  it('serves nothing without the check', async () => {
    assert.equal((await fetch(path)).status, 401)
    for (const attempt of ['/internal/', `/internal/${build.sha256.slice(0, 2)}/`, `/internal/../data/`]) {
      assert.equal((await fetch(front + attempt, { headers })).status, 404, attempt)
    }
  })
})

async function startNginx(
  opened: AsyncDisposableStack,
  folder: string,
  { port, server, blobs }: { port: number; server: string; blobs: string },
): Promise<void> {
  const configuration = join(folder, 'nginx.conf')
  const asRoot = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    configuration,
    `daemon off; worker_processes 1; ${asRoot} pid ${folder}/nginx.pid; error_log stderr crit;
     events { worker_connections 64; }
     http {
       access_log off; sendfile on; client_max_body_size 0;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       server {
         listen 127.0.0.1:${port};
         location / { proxy_pass ${server}; proxy_request_buffering off; proxy_set_header Host $http_host; }
         location /internal/ { internal; alias ${blobs}/; }
       }
     }`,
  )
  const nginx = spawn('nginx', ['-c', configuration, '-p', folder], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  opened.defer(async () => {
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
  })
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nginx did not answer')
}
