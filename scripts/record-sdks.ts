/**
 * Records what Sentry's SDKs really send, for the tests of packages/crashes: `node scripts/record-sdks.ts`.
 * The tests read the recordings, so they need none of the SDKs. It needs Debian's `chromium`, `python3-sentry-sdk`,
 * `ruby-sentry-raven` and `ruby-sentry-ruby-core`, and the registry of npm for the SDKs of JavaScript.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'

const run = promisify(execFile)
/** The apps, and what they sent. */
const here = join(import.meta.dirname, '../packages/crashes/test/sdks')
/** The SDKs write paths into their payloads, and lengths before them, so the folder has one name everywhere. */
const folder = '/tmp/shop'
const versions = { '@sentry/node': '11.12.0', '@sentry/react': '11.12.0', react: '19.3.1', 'react-dom': '19.3.1' }

const unpackers: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

interface Sent {
  path: string
  body: Buffer
}

async function listen(pages: ReadonlyMap<string, string>) {
  const sent: Sent[] = []
  const receive = async (request: IncomingMessage) => {
    const body = await buffer(request)
    const unpack = unpackers[request.headers['content-encoding'] ?? '']
    sent.push({ path: request.url ?? '', body: unpack ? unpack(body) : body })
  }
  const server = createServer((request, response) => {
    const page = pages.get((request.url ?? '').replace(/\?.*$/, ''))
    if (request.method === 'POST') void receive(request).then(() => response.end('{"id":"0"}'))
    else if (page === undefined) response.writeHead(404).end()
    else response.setHeader('content-type', page.startsWith('<') ? 'text/html' : 'text/javascript').end(page)
  })
  await new Promise<void>((resolve) => server.listen(27_010, '127.0.0.1', resolve))
  return { sent, close: () => new Promise((resolve) => server.close(resolve)) }
}

const address = '127.0.0.1:27010'
const dsn = `http://5f2b8c0d9e7a4136b8c2d4e6f8a01357@${address}/7`
const env = { PATH: process.env['PATH'], DSN: dsn }

/** Keeps the delivery with the event; sessions and client reports are of no interest here. */
async function save(name: string, sent: readonly Sent[]): Promise<void> {
  const found = sent.find(({ path, body }) => path.includes('/store/') || body.includes('"type":"event"'))
  if (!found) throw new Error(`${name}: ${sent.length} deliveries, none with an event`)
  const isStore = found.path.includes('/store/')
  await writeFile(join(here, `${name}.${isStore ? 'store' : 'envelope'}`), found.body)
}

async function recordProgram(name: string, program: string, ...words: string[]): Promise<void> {
  const { sent, close } = await listen(new Map())
  // A program whose error nobody catches ends with a failure.
  await run(program, words, { cwd: folder, env, timeout: 30_000 }).catch(() => {})
  await close()
  await save(name, sent)
}

async function recordPage(name: string, entry: string): Promise<void> {
  const bundle = await rolldown({
    input: join(folder, entry),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: false })
  const scripts = `<script>window.DSN = ${JSON.stringify(dsn)}</script><script src="/app.js"></script>`
  const html = `<!doctype html><body>${scripts}`
  const { sent, close } = await listen(
    new Map([
      ['/', html],
      ['/app.js', output[0].code],
    ]),
  )
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://${address}/`)
    for (let round = 0; round < 100 && !sent.some(({ body }) => body.includes('"type":"event"')); round++) {
      await tab.waitForTimeout(100)
    }
  } finally {
    await browser.close()
    await close()
  }
  await save(name, sent)
}

await mkdir(folder)
try {
  await mkdir(join(folder, 'lib'))
  for (const file of ['node-app.mjs', 'browser-app.js', 'react-app.js', 'python_app.py']) {
    await cp(join(here, file), join(folder, file))
  }
  // Ruby's SDKs take the files of certain folders for the app's.
  for (const file of ['raven_app.rb', 'sentry_app.rb']) await cp(join(here, file), join(folder, 'lib', file))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  await run('npm', ['install', '--no-audit', '--no-fund', ...wanted], { cwd: folder })
  await recordProgram('node', process.execPath, 'node-app.mjs')
  await recordPage('browser', 'browser-app.js')
  await recordPage('react', 'react-app.js')
  await recordProgram('python', '/usr/bin/python3', 'python_app.py')
  await recordProgram('ruby-raven', '/usr/bin/ruby', join(folder, 'lib/raven_app.rb'))
  await recordProgram('ruby', '/usr/bin/ruby', join(folder, 'lib/sentry_app.rb'))
} finally {
  await rm(folder, { recursive: true })
}
