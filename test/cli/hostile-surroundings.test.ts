import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { writeApk } from '@fairlead/binary/fixture'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'
import { readJson } from '../../scripts/read-json.ts'
import { requirePort } from '../../scripts/free-port.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../apps/cli/src/bin.ts')

describe('the command line in hostile surroundings', () => {
  let desk: Desk
  const file = 'my app 🚀 ü.apk'

  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
    await writeFile(join(desk.folder, file), writeApk({ packageName: 'com.example.shop' }))
  })
  after(() => desk[Symbol.asyncDispose]())

  it('uploads a file with spaces and emoji in its name, although nobody reads its progress', async () => {
    const env = { PATH: process.env.PATH, FAIRLEAD_URL: desk.server.url, FAIRLEAD_TOKEN: token }
    const child = spawn(process.execPath, [program, 'builds', 'upload', file, '--app', 'shop', '--json'], {
      cwd: desk.folder,
      env,
    })
    child.stderr.destroy()
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    await once(child, 'close')
    assert.equal(child.exitCode, 0)
    assert.equal(readJson<{ fileName: string }>(stdout).fileName, file)
  })

  it('needs no home folder if the environment has server and token', async () => {
    const env = { HOME: join(desk.folder, 'missing'), FAIRLEAD_CONFIG_DIR: join(desk.folder, file, 'none') }
    assert.equal((await desk.fairlead(['apps', 'list'], { env })).code, 0)
  })

  it('reports a wrong command line on standard error, as JSON with --json', async () => {
    const wrong: [args: string[], message: RegExp][] = [
      [['builds', 'lsit'], /There is no command "lsit"; did you mean list\?/],
      [['builds', 'show'], /<id> is missing/],
      [['builds', 'list', '--nope'], /There is no flag --nope/],
      [['builds', 'list', '--limit', 'x'], /--app needs a value; The value of limit is wrong: .*x/],
    ]
    for (const [args, message] of wrong) {
      const asJson = await desk.fairlead([...args, '--json'])
      assert.deepEqual([asJson.code, asJson.stdout], [2, ''])
      const { error } = readJson<{ error: { exitCode: number; message: string; fix: string } }>(asJson.stderr)
      assert.equal(error.exitCode, 2)
      assert.match(error.message, message)
      assert.match(error.fix, /--help/)
    }
    const { code, stdout, stderr } = await desk.fairlead(['builds', 'show'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^error: <id> is missing\nRun "fairlead builds show --help"/)
  })

  it('shows help and version in the words of other command lines', async () => {
    const help = await desk.fairlead(['builds', 'upload', '--help'])
    const same = await desk.fairlead(['help', 'builds', 'upload'])
    assert.deepEqual([same.code, same.stdout], [0, help.stdout])
    assert.match((await desk.fairlead(['help'])).stdout, /EXIT CODES/)
    for (const word of ['version', '-V']) {
      assert.match((await desk.fairlead([word])).stdout, /^\d+\.\d+\.\d+\n$/)
    }
  })

  it('says what is wrong with an argument in plain words, and which command explains it', async () => {
    const wrong: [args: string[], message: string, help: string][] = [
      [['builds', 'uplod'], 'There is no command "uplod"; did you mean upload\\?', 'fairlead builds --help'],
      [['builds', 'list', '--jsno'], 'There is no flag --jsno; did you mean --json\\?', 'fairlead builds list --help'],
      [['apps', 'create', 'a', 'b'], 'There are too many arguments: it takes 1, and "b" is one more', 'apps create'],
      [
        ['apps', 'create', 'a', '--platform', 'windows'],
        '--platform is one of android, ios, and not "windows"',
        'apps',
      ],
      [['apps', 'list', '--server', 'a', '--server', 'b'], '--server is given twice, as "a" and "b"', 'apps list'],
      [['apps', 'list', '--token', '--json'], '--token needs a value, and --json follows', 'fairlead apps list --help'],
      [
        ['builds', 'show', 'x'],
        'The value of id is wrong: "x" is not an id, which is a number from 1 on',
        'builds show',
      ],
    ]
    for (const [args, message, help] of wrong) {
      const { code, stderr } = await desk.fairlead(args)
      assert.equal(code, 2, stderr)
      assert.match(stderr.replaceAll('\\"', '"'), new RegExp(message))
      assert.match(stderr, new RegExp(`Run .*${help}`))
    }
  })

  it('names a file that the server does not take, and an address that begins with too much', async () => {
    await writeFile(join(desk.folder, 'empty-mapping.txt'), 'x')
    const identity = ['--package', 'com.example.shop', '--version-name', '1', '--version-code', '1']
    await desk.json('apps', 'create', 'named', '--platform', 'android')
    const refused = await desk.fairlead(['symbols', 'upload', 'empty-mapping.txt', '--app', 'named', ...identity])
    assert.equal(refused.code, 6)
    assert.match(refused.stderr, /error: The server does not take .*empty-mapping\.txt\n {2}The mapping cannot be read/)
    const away = await desk.fairlead(['apps', 'list'], { env: { FAIRLEAD_URL: `${desk.server.url}/builds` } })
    assert.equal(away.code, 5)
    assert.match(away.stderr, /Nothing is at this address\nCheck the address of the server\./)
  })

  it('says how to keep the login elsewhere if its folder cannot be created', { timeout: 300_000 }, async () => {
    const login = ['login', desk.server.url, '--with-token']
    // Linux answers ENOENT in /proc, on which the recursive mkdir of Node never ends.
    for (const home of ['/proc', join(desk.folder, file), '/sys']) {
      const env = { HOME: home, FAIRLEAD_CONFIG_DIR: join(home, 'a', 'fairlead') }
      const { code, stderr } = await desk.fairlead(login, { env, input: token })
      assert.equal(code, 1, stderr)
      assert.match(stderr, /^error: .*a\/fairlead/)
      assert.match(stderr, /FAIRLEAD_CONFIG_DIR/)
    }
  })

  it('shows a QR code in a terminal that is wide enough, and says so in one that is too narrow', async () => {
    const { id } = await desk.json<{ id: number }>('builds', 'upload', file, '--app', 'shop')
    const env = { PATH: process.env.PATH, FAIRLEAD_URL: desk.server.url, FAIRLEAD_TOKEN: token }
    // `script` of util-linux opens a pseudo-terminal.
    const show = async (columns: number) => {
      const command = `stty cols ${columns} rows 30; exec '${process.execPath}' '${program}' builds show ${id} --qr`
      return (await run('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env })).stdout
    }
    assert.match(await show(100), /[█▀▄]{10}/)
    const narrow = await show(20)
    assert.match(narrow, /too narrow for the QR code/)
    assert.doesNotMatch(narrow, /[█▀▄]/)
  })

  it('reports a web page and a redirect instead of the API, and exits with 7', async () => {
    await using server = await listen(
      createHttpServer((request, response) => {
        if (request.url?.startsWith('/old') === true) response.writeHead(301, { Location: 'https://new.example.com/' })
        response.end('<!doctype html><title>Sign in</title>')
      }),
    )
    const url = `http://localhost:${server.port}`
    const page = await desk.fairlead(['apps', 'list', '--json'], { env: { FAIRLEAD_URL: url } })
    assert.deepEqual([page.code, page.stdout], [7, ''])
    const { error } = readJson<{ error: { message: string } }>(page.stderr)
    assert.match(error.message, /not JSON/)
    const redirect = await desk.fairlead(['apps', 'list'], { env: { FAIRLEAD_URL: `${url}/old` } })
    assert.equal(redirect.code, 7)
    assert.match(redirect.stderr, /redirects to https:\/\/new\.example\.com\//)
  })

  it('says in a sentence that a server speaks no TLS', async () => {
    await using server = await listen(createHttpServer((_request, response) => response.end('[]')))
    const env = { FAIRLEAD_URL: `https://localhost:${server.port}`, FAIRLEAD_RETRY_SECONDS: '0' }
    const { code, stderr } = await desk.fairlead(['apps', 'list'], { env })
    assert.equal(code, 7)
    assert.match(
      stderr,
      /\n {2}What answers at this address does not speak TLS\nIf .* write its address with http:\/\/\n/,
    )
    assert.doesNotMatch(stderr, /SSL routines|openssl/)
  })

  it('says that everything was sent only of the attempt that was whole', async () => {
    let attempts = 0
    await using server = await listen(
      createHttpServer((request, response) => {
        if (request.method === 'GET') {
          const shop = { id: 1, alias: 'shop', platform: 'android', bundleIdentifier: null }
          return response.setHeader('Content-Type', 'application/json').end(JSON.stringify([shop]))
        }
        attempts++
        const isCut = attempts === 1
        request.resume().once('end', () => {
          if (isCut) request.socket.destroy()
          else response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id": 1}')
        })
        return undefined
      }),
    )
    const args = ['builds', 'upload', file, '--app', 'shop', '--commits', 'off', '--json']
    const { code, stderr } = await desk.fairlead(args, { env: { FAIRLEAD_URL: `http://localhost:${server.port}` } })
    assert.deepEqual([code, attempts], [0, 2], stderr)
    assert.match(stderr, /trying again in .*\nSent 100% of .*\n$/)
    assert.equal(stderr.split('100%').length, 2, stderr)
  })

  it('ends with 5 when a file does not exist, whatever the command is', async () => {
    const commands = [
      'inspect no.apk',
      'builds diff no.apk no.ipa',
      'builds upload no.apk --app shop',
      'builds notes 1 --notes-file no.md',
      'symbols upload no.txt --app shop',
      'symbols upload no --app shop',
      'symbols check no --for no.apk',
      'symbolicate no.txt --app shop',
      'symbolicate no.txt --symbols no',
      'retrace no.txt --mapping no.txt',
      'crashes upload no.txt --app shop',
      'tests upload no.xml --app shop',
      'import appcenter no',
      'import zealot no',
      'import folder no',
      'retention set no.json --app shop',
      'testers add --group QA --file no.csv',
      'apps from-file no.apk',
      'devices key set no.p8 --issuer 1 --key-id 2',
      'api /v1/applications --data @no.json',
    ]
    const ended = await Promise.all(commands.map((command) => desk.fairlead(command.split(' '))))
    assert.deepEqual(
      ended.map(({ code, stderr }, index) => (code === 5 ? undefined : `${commands[index]}: ${code} ${stderr}`)),
      commands.map(() => undefined),
    )
  })

  it('says how to trust the certificate of an own authority, and does', async () => {
    const [key, cert] = [join(desk.folder, 'key.pem'), join(desk.folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    await run('openssl', ['req', ...form, '-keyout', key, '-out', cert, ...subject])
    const options = { key: await readFile(key), cert: await readFile(cert) }
    await using server = await listen(createHttpsServer(options, (_request, response) => response.end('[]')))
    const env = { FAIRLEAD_URL: `https://localhost:${server.port}` }
    const refused = await desk.fairlead(['apps', 'list'], { env })
    assert.equal(refused.code, 7)
    assert.match(refused.stderr, /NODE_EXTRA_CA_CERTS/)
    const { code, stdout } = await desk.fairlead(['apps', 'list', '--json'], {
      env: { ...env, NODE_EXTRA_CA_CERTS: cert },
    })
    assert.deepEqual([code, stdout], [0, '[]\n'])
  })
})

async function listen(server: Server): Promise<AsyncDisposable & { port: number }> {
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const port = requirePort(server)
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}
