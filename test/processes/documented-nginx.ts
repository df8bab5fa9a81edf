/** A real nginx with the server block of docs/operating.md, of which only addresses and the certificate change. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from './api.ts'
import { openTemporaryFolder } from './server-process.ts'

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

export function hasNginx(): boolean {
  return !spawnSync('nginx', ['-v'], { env: environment }).error
}

/** Starts nginx on a port in front of servers, which need not answer yet. */
export async function startDocumentedNginx(
  port: number,
  servers: readonly string[],
  connections = 256,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await openTemporaryFolder()).path
  await chmod(folder, 0o755)
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid;
     error_log ${folder}/nginx.log error;
     events { worker_connections ${connections}; }
     http {
       access_log off;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       upstream replicas { ${servers.map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ')} }
       ${await readServerBlock(port)}
     }`,
  )
  const nginx = spawn('nginx', ['-c', configuration, '-p', folder], { stdio: 'inherit', env: environment })
  opened.defer(async () => {
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
  })
  const answers = async () => {
    assert.equal(nginx.exitCode, null, 'nginx ended')
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)) !== undefined
  }
  await waitUntil('nginx answers', answers)
  const closers = opened.move()
  return { [Symbol.asyncDispose]: () => closers.disposeAsync() }
}

async function readServerBlock(port: number): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const [, documented = ''] = /```nginx\n(.*?)```/s.exec(page) ?? []
  const block = documented
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/ *ssl_certificate.*\n/g, '')
    .replace('http://127.0.0.1:8080', 'http://replicas')
  assert.match(block, /^server \{[^]*http:\/\/replicas[^]*proxy_read_timeout[^]*\}\n$/)
  return block
}
