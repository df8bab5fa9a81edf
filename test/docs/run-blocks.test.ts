/**
 * Runs the shell blocks of every page in a shell, line by line, against a real server, for which the addresses and ids
 * of the page are replaced. What does not run here is named with the test that runs it, or with the reason why none
 * does; a new block that needs more than there is fails until it is named, too.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { text } from 'node:stream/consumers'
import { writeApk } from '@fairlead/binary/fixture'
import { type Client, createClient } from '@fairlead/client'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { createCheckout } from '../cli/git-checkout.ts'
import { toReport } from '../cli/test-report.ts'
import { callApi, waitUntil } from '../processes/api.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from '../processes/server-process.ts'
import { listShellLines, pages } from './read-pages.ts'

const root = join(import.meta.dirname, '../..')

/** The test that runs the commands of `fairlead` on these pages. */
const commandsOfPages = 'test/docs/run-commands.test.ts'

/** Lines that do not run here: the beginning of each, and the file of the test that runs it, or a reason. */
const elsewhere: Record<string, Record<string, string>> = {
  'README.md': {
    'npm ci && npm start': 'takes the packages of a registry; the server is started as it starts it by every story',
    'npm ci && npm test': 'is what runs this test',
    'export FAIRLEAD_INITIAL_API_TOKEN=': 'the server of this test has its token already',
  },
  'CONTRIBUTING.md': {
    'npm ': 'is what runs this test; test/docs/commands.test.ts reads its scripts and files',
    'FAIRLEAD_TEST_SLOW=': 'is what runs this test; test/docs/commands.test.ts reads its scripts and files',
  },
  'apps/server/README.md': {
    'npm test': 'is what runs this test; test/docs/commands.test.ts reads its scripts and files',
  },
  'apps/cli/README.md': { 'npx fairlead': commandsOfPages, 'fairlead ': commandsOfPages, 'adb ': commandsOfPages },
  'docs/alerts.md': { 'fairlead ': commandsOfPages },
  'docs/javascript.md': { 'fairlead ': commandsOfPages },
  'docs/crashes.md': { 'fairlead symbols upload': 'test/cli/native-symbols.test.ts' },
  'docs/agents.md': {
    'claude ': 'is a program of others; what was tried by hand stands on the page',
    'codex ': 'is a program of others; what was tried by hand stands on the page',
    'gemini ': 'is a program of others; what was tried by hand stands on the page',
    'copilot ': 'is a program of others; what was tried by hand stands on the page',
  },
  'docs/test-frameworks.md': {
    'fairlead tests run ': 'needs a framework; test/frameworks/exit-codes.test.ts runs what each of them printed',
    'npm install ': 'takes the packages of a registry',
    'npx mocha ': 'test/frameworks/judgement.test.ts',
    'java -jar junit-platform-console-standalone.jar': 'test/frameworks/judgement.test.ts',
    'gotestsum ': 'test/frameworks/judgement.test.ts',
  },
  'docs/releasing.md': {
    'npm ci && npm test': 'is what runs this test',
    'mkdir -p release': 'test/packages/packages.test.ts',
    'npx node packages/channel/scripts/pack.ts': 'test/packages/packages.test.ts',
    'npm publish': 'would publish',
  },
  'docs/operating.md': {
    'docker ': 'needs a Docker engine; test/deploy-conditions.test.ts starts the server as the image does',
    'kubectl ': 'needs a cluster; test/deploy-conditions.test.ts starts the server as the pod does',
    'helm install': 'test/deploy/helm-chart.test.ts',
    'git pull': 'changes the checkout',
    'npm ci': 'takes the packages of a registry',
    'usermod ': 'changes the users of the machine',
    'chmod -R': 'changes what belongs to the users of the machine; test/front-server.test.ts reads as nginx does',
  },
}

/** Pages that have a test of their own. */
const withTest = new Set([
  'README.md',
  'docs/agents.md',
  'docs/crashes.md',
  'docs/debugging.md',
  'docs/feedback.md',
  'docs/hooks.md',
  'docs/javascript.md',
  'docs/operating.md',
  'docs/releasing.md',
  'docs/sign-in.md',
  'docs/test-frameworks.md',
  'docs/tests.md',
])

/** Pairs of a text in the lines of the pages and of its replacement in this test. */
type Replacements = [from: RegExp, to: string][]

interface Page {
  env?: Record<string, string>
  replace?: Replacements
  cwd?: string
}

describe('the shell blocks of', { timeout: 600_000 }, () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let dataDir: string
  let server: ServerProcess
  let client: Client

  const put = async (path: string, content: string | Uint8Array, mode = 0o644) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
    await chmod(join(folder, path), mode)
  }

  before(async () => {
    folder = opened.use(await openTemporaryFolder()).path
    dataDir = opened.use(await openTemporaryFolder()).path
    const corp = { key: 'corp', name: 'Corp', issuer: 'https://login.example.com', clientId: 'a', clientSecret: 'b' }
    const env = { FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([corp]) }
    server = opened.use(await startServerProcess({ dataDir, env }))
    client = createClient({ baseUrl: server.url, token })
    createCheckout(folder).commit('Add the cart', { '.github/CODEOWNERS': 'app/ @team/shop\n' })
    await writeFiles()
    await writePrograms()
  })
  after(() => opened.disposeAsync())

  /** The files that the lines name. */
  const writeFiles = async () => {
    await put('app.apk', writeApk({ packageName: 'com.example.shop', versionName: '1.2', versionCode: 34 }))
    await put('NOTES.md', 'Faster start')
    await put('mapping.txt', 'com.example.Cart -> a.b:\n    1:1:int total():12:12 -> c\n')
    await put('crash.txt', 'java.lang.IllegalStateException\n\tat a.b.c(SourceFile:1)\n')
    await put('screen.png', createPng())
    await put('reports.tgz', toReport(['adds']))
    await put('cart.test.js', "require('node:test').test('adds', () => {})")
    await put('stack.txt', 'Error: empty\n    at total (main.jsbundle:1:1)\n')
    await put('main.jsbundle.map', '{"version":3,"sources":["b.js"],"names":[],"mappings":"AAAA"}')
    await put('dist/app.js', 'total()\n//# sourceMappingURL=app.js.map\n')
    await put('dist/app.js.map', '{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}')
  }

  /**
   * Programs of the repository under the names that they have for users. `npm start` only notes its settings, with
   * which one server starts in the end, and `curl` fails for an answer that a person would read as a failure.
   */
  const writePrograms = async () => {
    const run = (path: string) => `exec "${process.execPath}" "${path}" "$@"`
    const sentry = createRequire(join(root, 'apps/server/package.json')).resolve('@sentry/cli/package.json')
    await put('bin/fairlead', `#!/bin/bash\n${run(join(root, 'apps/cli/src/bin.ts'))}\n`, 0o755)
    await put('bin/fairlead-server', `#!/bin/bash\n${run(join(root, 'apps/server/src/main.ts'))}\n`, 0o755)
    await put('bin/sentry-cli', `#!/bin/bash\n${run(join(dirname(sentry), 'bin/sentry-cli'))}\n`, 0o755)
    await put('bin/curl', '#!/bin/bash\nPATH=${PATH#*:} exec curl --fail-with-body --silent --show-error "$@"\n', 0o755)
    await put('bin/npm', `#!/bin/bash\n[ "$*" = start ] && env >> "${folder}/settings"\n`, 0o755)
    const npx = [
      // The tarball has to be there; test/ci/recipes.test.ts has npx itself run it.
      'if [ "$1 $2" = "--yes --package" ]; then curl --output /dev/null "$3" || exit 1; shift 4; fi',
      'exec "$@"',
    ]
    await put('bin/npx', `#!/bin/bash\n${npx.join('\n')}\n`, 0o755)
  }

  const runPage = async (page: string, { env = {}, replace = [], cwd = folder }: Page) => {
    const others = Object.keys(elsewhere[page] ?? {})
    const lines = listShellLines(page).filter((line) => !others.some((beginning) => line.startsWith(beginning)))
    const script = lines.flatMap((line) => {
      const real = replace.reduce((changed, [from, to]) => changed.replaceAll(from, to), line)
      return [real, 'code=$?; [ $code = 0 ] || { echo "The line before ended with $code" >&2; exit 1; }']
    })
    const child = spawn(
      'bash',
      ['-v', '-u', '-o', 'pipefail', '-c', ['set -a', ...script, `env >> ${folder}/settings`].join('\n')],
      {
        cwd,
        env: {
          PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
          HOME: folder,
          FAIRLEAD_CONFIG_DIR: join(folder, '.config'),
          FAIRLEAD_CACHE_DIR: join(folder, '.cache'),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    assert.equal(child.exitCode, 0, `${page}: ${stdout}${stderr}`)
    return stdout
  }

  const ownHeader = () => ({ API: server.url, TOKEN: `X-Service-Token: ${token}` })
  const settings = () => ({ FAIRLEAD_URL: server.url, FAIRLEAD_TOKEN: token })

  it('README.md run on a new server, and do what it says', async () => {
    const output = await runPage('README.md', {
      env: { FAIRLEAD_INITIAL_API_TOKEN: token },
      replace: [[/http:\/\/localhost:8080/g, server.url]],
    })
    assert.match(output, /Install +http/)
    assert.match(output, /com\.example\.Cart\.total/)
    const build = await client.builds.get(1)
    assert.equal(build.releaseNotes, 'Faster start')
    assert.deepEqual(
      build.distributionGroups.map(({ name }) => name),
      ['QA'],
    )
    const [invited] = await client.members.listInvitations()
    assert.deepEqual([invited?.email, invited?.role], ['ada@example.com', 'admin'])
  })

  it('docs/tests.md run', async () => {
    await runPage('docs/tests.md', { env: { ...settings(), CI_PIPELINE_ID: '7', APPLICATION_ID: '1' } })
    const { items } = await client.tests.listRuns(1, { limit: 1 })
    assert.deepEqual([items[0]?.key, items[0]?.branch], ['7', 'main'])
  })

  it('docs/test-frameworks.md run', async () => {
    await runPage('docs/test-frameworks.md', {})
    assert.match(await readFile(join(folder, 'results/junit.xml'), 'utf8'), /<testcase name="adds"/)
  })

  it('docs/feedback.md run', async () => {
    const { installUrl } = await client.builds.get(1)
    await runPage('docs/feedback.md', { env: { INSTALL_URL: installUrl } })
    const [feedback] = await client.feedback.list(1)
    assert.equal(feedback?.pictures.length, 1)
  })

  it('docs/hooks.md and docs/sign-in.md run', async () => {
    const hook = await runPage('docs/hooks.md', { env: ownHeader() })
    assert.match(hook, /"secret"/)
    const roles = await runPage('docs/sign-in.md', { env: ownHeader() })
    assert.match(roles, /mobile-developers/)
  })

  it('docs/agents.md run', async () => {
    const answer = await runPage('docs/agents.md', {
      replace: [
        [/https:\/\/builds\.example\.com/g, server.url],
        [/fl_…/g, token],
      ],
    })
    assert.match(answer, /com\.example\.shop|shop/)
  })

  it('docs/javascript.md and docs/crashes.md run, with the real sentry-cli', async () => {
    const frames = await runPage('docs/javascript.md', {
      env: { TOKEN: token },
      replace: [
        [/https:\/\/crashes\.example/g, server.url],
        [/fl_…/g, token],
        [/applications\/7/g, 'applications/1'],
      ],
    })
    assert.match(frames, /b\.js/)
    assert.match(await readFile(join(folder, 'dist/app.js'), 'utf8'), /debugId/)
    const env = { SENTRY_URL: server.url, SENTRY_AUTH_TOKEN: token, SENTRY_ORG: 'any', SENTRY_PROJECT: 'shop' }
    await runPage('docs/crashes.md', { env })
  })

  it('docs/releasing.md run', async () => {
    assert.match(await runPage('docs/releasing.md', { env: settings() }), /^\d+\.\d+\.\d+\n$/)
  })

  it('docs/debugging.md run, and find the line of a refused request and the places of its code', async () => {
    const answer = await fetch(`${server.url}/v1/builds/99`, { headers: { 'X-Service-Token': token } })
    const errorId = answer.headers.get('x-error-id') ?? /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await answer.text())?.[0] ?? ''
    await waitUntil('the refusal is logged', () => server.output().includes(errorId))
    await put('fairlead.log', server.output())
    const found = await runPage('docs/debugging.md', {
      cwd: root,
      replace: [
        [/[0-9a-f]{8}-[0-9a-f-]{27}/g, errorId],
        [/fairlead\.log/g, join(folder, 'fairlead.log')],
      ],
    })
    assert.match(found, /"status": 404/)
    assert.match(found, /^apps\/server\/src\/.*'aliasNotFound'/m)
  })

  it('docs/operating.md run: backup, archive, check, and the commands on accounts', async () => {
    const invitation = await client.members.invite({ email: 'bob@example.com', role: 'viewer' })
    const body = {
      token: new URL(invitation.inviteUrl ?? '').searchParams.get('token'),
      name: 'Bob',
      password: 'correct horse battery',
    }
    const accepted = await callApi(server.url, 'POST', '/v1/invitations/accept', { json: body })
    assert.equal(accepted.status, 201, accepted.bytes.toString())
    const empty = opened.use(await openTemporaryFolder()).path
    const output = await runPage('docs/operating.md', {
      env: { FAIRLEAD_DATA_DIR: join(folder, 'backup') },
      replace: [
        [/\/var\/lib\/fairlead/g, dataDir],
        [/\/backup\/fairlead/g, join(folder, 'backup')],
        // PostgreSQL and S3 take part in test/moving.test.ts.
        [/FAIRLEAD_DATABASE_URL=\S+ FAIRLEAD_STORAGE_URL=\S+/g, `FAIRLEAD_DATA_DIR=${empty}`],
        [/ada@example\.com/g, 'bob@example.com'],
      ],
    })
    assert.match(output, /http\S+reset/)
  })

  it('the remaining pages run', async () => {
    for (const page of pages) if (!withTest.has(page)) await runPage(page, {})
  })

  it('their settings start a server', async () => {
    const lines = (await readFile(join(folder, 'settings'), 'utf8')).split('\n')
    const own = new Set(['FAIRLEAD_DATA_DIR', 'FAIRLEAD_CONFIG_DIR', 'FAIRLEAD_CACHE_DIR', ...Object.keys(settings())])
    const found = lines.flatMap((line): [string, string][] => {
      const [, name = '', value = ''] = /^((?:FAIRLEAD|NODE_EXTRA)_\w+)=(.*)$/.exec(line) ?? []
      return name === '' || own.has(name) ? [] : [[name, value]]
    })
    const env = Object.fromEntries(found)
    for (const name of ['HOOKS_ALLOW', 'SECRETS_KEY', 'ACCEL', 'TRUST_PROXY', 'BASE_URL', 'LOG_LEVEL']) {
      assert.ok(`FAIRLEAD_${name}` in env, `no page sets ${name}`)
    }
    const fresh = opened.use(await openTemporaryFolder()).path
    await using started = await startServerProcess({ dataDir: fresh, env })
    assert.equal((await fetch(`${started.url}/readyz`)).status, 200, started.output())
  })

  it('no page name lines elsewhere that are gone, or tests that are', () => {
    for (const [page, lines] of Object.entries(elsewhere)) {
      const there = listShellLines(page)
      for (const [beginning, where] of Object.entries(lines)) {
        assert.ok(
          there.some((line) => line.startsWith(beginning)),
          `${page} has no line that begins with ${beginning}`,
        )
        const [file] = /^test\/\S+/.exec(where) ?? []
        assert.ok(file === undefined || existsSync(join(root, file)), `${where} is gone`)
      }
    }
  })
})
