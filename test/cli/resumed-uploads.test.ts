import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pipeline } from 'node:stream/promises'
import { createClient } from '@fairlead/client'
import { writeSparseApk } from '@fairlead/binary/fixture'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from '../processes/server-process.ts'
import { startTcpProxy, type TcpProxy } from '../processes/tcp-proxy.ts'
import { type RunOptions, runFairlead } from './fairlead.ts'
import { readJson } from '../../scripts/read-json.ts'

const size = 300_000_000

describe('a large upload through the command line', { timeout: 300_000 }, () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let dataDir: string
  let server: ServerProcess
  let proxy: TcpProxy
  let sha256: string

  before(async () => {
    folder = opened.use(await openTemporaryFolder()).path
    dataDir = opened.use(await openTemporaryFolder()).path
    server = await startServerProcess({ dataDir })
    opened.defer(() => server[Symbol.asyncDispose]())
    await createClient({ baseUrl: server.url, token }).applications.create({
      name: 'Shop',
      alias: 'shop',
      platform: 'android',
    })
    writeSparseApk(join(folder, 'large.apk'), size, { packageName: 'com.example.shop' })
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, 'large.apk')), hash)
    sha256 = hash.digest('hex')
  })
  after(() => opened.disposeAsync())

  const upload = async (options: RunOptions = {}) => {
    const env = { FAIRLEAD_URL: `http://127.0.0.1:${proxy.port}`, FAIRLEAD_TOKEN: token, FAIRLEAD_CONFIG_DIR: folder }
    return runFairlead(['builds', 'upload', 'large.apk', '--app', 'shop', '--json'], { cwd: folder, env, ...options })
  }
  const listParts = async () =>
    (await readdir(join(dataDir, 'blobs'), { recursive: true })).filter((name) => name.endsWith('-part'))

  it('goes on where it stopped when the connection breaks three times', async () => {
    await using broken = await startTcpProxy(Number(new URL(server.url).port))
    proxy = broken
    for (const share of [0.25, 0.5, 0.75]) broken.cutAfter(size * share)
    const { code, stdout, stderr } = await upload()
    assert.equal(code, 0, stderr)
    assert.equal(readJson<{ sha256: string }>(stdout).sha256, sha256)
    assert.equal(stderr.split('trying again').length - 1, 3, stderr)
    const sentAgain = broken.bytesFromClients() - size
    assert.ok(sentAgain <= size * 0.1, `${sentAgain} bytes were sent again`)
    assert.deepEqual(await listParts(), [])
  })

  it('goes on after the server was killed in the middle and started again', async () => {
    await using through = await startTcpProxy(Number(new URL(server.url).port))
    proxy = through
    let restart: Promise<void> | undefined
    const { port } = new URL(server.url)
    const { code, stdout, stderr } = await upload({
      onStderr: (_child, text) => {
        if (!text.includes('Sent 50%')) return
        restart ??= server.end('SIGKILL').then(async () => {
          server = await startServerProcess({ dataDir, env: { FAIRLEAD_PORT: port } })
        })
      },
    })
    await restart
    assert.equal(code, 0, stderr)
    assert.equal(readJson<{ sha256: string }>(stdout).sha256, sha256)
    assert.match(stderr, /trying again/)
    const sentAgain = through.bytesFromClients() - size
    assert.ok(sentAgain <= size * 0.3, `${sentAgain} bytes were sent again`)
    assert.deepEqual(await listParts(), [])
  })

  it('leaves nothing on the server when Ctrl-C comes in the middle', async () => {
    await using through = await startTcpProxy(Number(new URL(server.url).port))
    proxy = through
    let isInterrupted = false
    const { code, stderr } = await upload({
      onStderr: (child, text) => {
        if (!isInterrupted && text.includes('Sent 50%')) isInterrupted = child.kill('SIGINT')
      },
    })
    assert.equal(code, 130, stderr)
    assert.deepEqual(await listParts(), [])
  })
})
