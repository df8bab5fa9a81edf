/**
 * The story of suspect commits, measured: six builds of a real Git repository, uploaded by the command line with their
 * mappings; crashes of bugs that commits have planted, sent in random order as an SDK sends them; and what the server
 * says of each.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeApk } from '@fairlead/binary/fixture'
import { type Client, createClient } from '@fairlead/client'
import { createRandom, shuffle } from '../../apps/server/src/testing/planted-bugs.ts'
import { createTestDatabase } from '../../apps/server/src/testing/test-database.ts'
import { requireAt } from '@fairlead/invariant'
import { openTemporaryFolder, startServerProcess, token } from '../processes/server-process.ts'
import { runFairlead } from './fairlead.ts'
import { basePackage, bugKinds, type CodePlace, type PlantedRepository, plantRepository } from './planted-repository.ts'
import { readJson } from '../../scripts/read-json.ts'

const buildCount = 6
const helpers = [null, 'java.util.Objects requireNonNull', 'kotlin.jvm.internal.Intrinsics throwNpe']

interface PlannedCrash {
  bug: number
  build: number
  frames: { module: string; function: string; filename: string; lineno: number }[]
}

describe('suspect commits', { timeout: 300_000 }, () => {
  let opened: AsyncDisposableStack
  let repository: PlantedRepository
  let client: Client
  let url = ''
  let applicationId = 0
  const buildIds: number[] = []

  before(async () => {
    opened = new AsyncDisposableStack()
    const folder = opened.use(await openTemporaryFolder()).path
    const database = opened.use(await createTestDatabase())
    const server = opened.use(
      await startServerProcess({
        dataDir: join(folder, 'data'),
        env: database.url === null ? {} : { FAIRLEAD_DATABASE_URL: database.url },
      }),
    )
    url = server.url
    client = createClient({ baseUrl: url, token })
    repository = plantRepository(join(folder, 'repository'), 7, { builds: buildCount })
    const application = await client.applications.create({
      alias: 'ledger',
      name: 'Ledger',
      platform: 'android',
      bundleIdentifier: basePackage,
    })
    applicationId = application.id
    await client.tests.replaceCodeOwners(applicationId, repository.owners.content)
    const crashes = planCrashes(repository)
    for (let build = 0; build < buildCount; build++) {
      const names = createNames(crashes.filter((crash) => crash.build === build).flatMap(({ frames }) => frames))
      for (const crash of crashes.filter((one) => one.build === build)) crash.frames = crash.frames.map(names.rename)
      buildIds.push(await upload(folder, build, names.mapping))
    }
    const { key } = await client.crashes.createKey(applicationId, 'Apps')
    for (const crash of shuffle(crashes, createRandom(3))) await send(crash, key)
    for (;;) {
      const { pendingCount } = await client.crashes.getIntake(applicationId)
      if (pendingCount === 0) break
      await sleep(50)
    }
  })
  after(() => opened[Symbol.asyncDispose]())

  async function upload(folder: string, build: number, mapping: string): Promise<number> {
    const { checkout, heads } = repository
    checkout.git('checkout', '--quiet', '--detach', requireAt(heads, build))
    const apk = { packageName: basePackage, versionName: `2.${build}.0`, versionCode: 100 + build }
    await writeFile(join(folder, 'app.apk'), writeApk(apk))
    await writeFile(join(folder, 'mapping.txt'), mapping)
    const args = ['builds', 'upload', join(folder, 'app.apk'), '--mapping', join(folder, 'mapping.txt')]
    const { code, stdout, stderr } = await runFairlead([...args, '--app', 'ledger', '--branch', 'main', '--json'], {
      cwd: checkout.folder,
      env: { FAIRLEAD_URL: url, FAIRLEAD_TOKEN: token, CI: 'true', FAIRLEAD_CONFIG_DIR: join(folder, 'config') },
    })
    assert.equal(code, 0, stderr)
    return readJson<{ id: number }>(stdout).id
  }

  async function send({ bug, build, frames }: PlannedCrash, key: string): Promise<void> {
    const exception = {
      type: bug < 0 ? 'IOException' : 'IllegalStateException',
      module: bug < 0 ? 'java.io' : 'java.lang',
      value: `bug ${bug}`,
      mechanism: { type: 'UncaughtExceptionHandler', handled: false },
      stacktrace: { frames: frames.toReversed() },
    }
    const answer = await fetch(`${url}/api/${applicationId}/store/?sentry_key=${key}`, {
      method: 'POST',
      body: JSON.stringify({
        timestamp: Date.now() / 1000,
        platform: 'java',
        level: 'fatal',
        release: `${basePackage}@2.${build}.0+${100 + build}`,
        exception: { values: [exception] },
      }),
    })
    assert.equal(answer.status, 200, await answer.text())
  }

  it('name the line, the first build, the owner and the guilty commit', async (t) => {
    const groups = await client.crashes.listGroups(applicationId)
    const explanations = await Promise.all(groups.map(({ id }) => client.crashes.explain(id)))
    const right = { place: 0, cause: 0, build: 0, certain: 0, owner: 0, first: 0, three: 0, resolved: 0 }
    const missed: string[] = []
    for (const { number, kind, commit, build } of repository.bugs) {
      const found = explanations.filter((one) => one.crash?.untrusted.exceptions.at(-1)?.message === `bug ${number}`)
      assert.equal(found.length, 1, `bug ${number} is ${found.length} groups`)
      const { location, introduced, owners, suspects, crash, frames } = requireAt(found, 0)
      const shown = buildIds.indexOf(crash?.buildId ?? 0)
      const { path, line } = repository.findBug(shown, number)
      const cause = repository.findCause(shown, number)
      if (location?.untrusted.path === path && location.line === line) right.place++
      // The line of a field is in no stack; its file is.
      const isCause = (frame: { line: number | null; untrusted: { className: string | null } }) =>
        frame.untrusted.className === cause.className && (kind === 'field' || frame.line === cause.line)
      if (frames.some(isCause)) right.cause++
      if (introduced.buildId === buildIds[build]) right.build++
      if (introduced.isCertain) right.certain++
      if (owners[0]?.untrusted.owners[0] === repository.owners.find(path)) right.owner++
      if (frames[location?.frame ?? -1]?.isResolved === true) right.resolved++
      const rank = suspects.find((suspect) => suspect.commit === commit)?.rank ?? Infinity
      if (rank === 1) right.first++
      if (rank <= 3) right.three++
      else missed.push(`${kind} ${number} (rank ${rank})`)
    }
    const count = repository.bugs.length
    const measured = Object.entries(right).map(([what, of]) => `${what} ${of}/${count}`)
    t.diagnostic(measured.join(', '))
    t.diagnostic(`not in the first three of ${bugKinds.join(', ')}: ${missed.join(', ') || 'none'}`)
    assert.equal(count, 40)
    assert.ok(right.place >= 0.95 * count, measured.join(', '))
    assert.ok(right.cause >= 0.95 * count, measured.join(', '))
    assert.ok(right.build >= 0.95 * count, measured.join(', '))
    assert.ok(right.owner >= 0.8 * count, measured.join(', '))
    assert.ok(right.resolved >= 0.95 * count, measured.join(', '))
    assert.ok(right.three >= 0.8 * count, measured.join(', '))
  })

  it('are shown by the command line, with the reason', async () => {
    const groups = await client.crashes.listGroups(applicationId, { q: 'IllegalState' })
    const explanations = await Promise.all(groups.map(({ id }) => client.crashes.explain(id)))
    const ofLine = `bug ${repository.bugs.find(({ kind }) => kind === 'line')?.number}`
    const group = groups[explanations.findIndex(({ crash }) => crash?.untrusted.exceptions.at(-1)?.message === ofLine)]
    assert.ok(group)
    const env = { FAIRLEAD_URL: url, FAIRLEAD_TOKEN: token }
    const { code, stdout, stderr } = await runFairlead(['crashes', 'explain', String(group.id)], { env })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Where +app\/src\/main\/kotlin\/\S+\.kt:\d+ in org\.tarn\.ledger\.\S+/)
    assert.match(stdout, /Since +build \d+, after build \d+\n/)
    assert.match(stdout, /Suspect commits\n {2}1\. [0-9a-f]{12} {2}.* changed line \d+/)
  })
})

/** Crashes of each bug in the builds that have it, each by other callers, and crashes that every build has. */
function planCrashes(repository: PlantedRepository): PlannedCrash[] {
  const random = createRandom(11)
  const crashes: PlannedCrash[] = []
  const toFrame = ({ className, method, line }: CodePlace) => ({
    module: className,
    function: method,
    filename: 'SourceFile',
    lineno: line,
  })
  const handler = { module: 'android.os.Handler', function: 'dispatchMessage', filename: 'Handler.java', lineno: 106 }
  for (const { number, kind, build: first } of repository.bugs) {
    const [module, name] = requireAt(helpers, Math.floor(random() * helpers.length))?.split(' ') ?? []
    for (let build = first; build < buildCount; build++) {
      const callers = [repository.pickPlace(build), repository.pickPlace(build)]
      const cause = kind === 'caller' ? [repository.findCause(build, number)] : []
      const own = [repository.findBug(build, number), ...cause, ...callers].map(toFrame)
      const helper = module === undefined ? [] : [{ module, function: name ?? '', filename: 'X.java', lineno: 1 }]
      crashes.push({ bug: number, build, frames: [...helper, ...own, handler] })
    }
  }
  for (let build = 0; build < buildCount; build++) {
    crashes.push({ bug: -1, build, frames: [{ ...handler, module: 'okhttp3.Call', function: 'run' }, handler] })
  }
  return crashes
}

/** Gives classes, methods and lines the short names of one build, as R8 does, and writes the mapping. */
function createNames(frames: readonly PlannedCrash['frames'][number][]) {
  const own = frames.filter(({ module }) => module.startsWith(basePackage))
  const lines = ['# compiler: R8']
  const renamed = new Map<string, PlannedCrash['frames'][number]>()
  const toKey = ({ module, function: name, lineno }: PlannedCrash['frames'][number]) => `${module} ${name} ${lineno}`
  for (const [place, [module, ofClass]] of [...Map.groupBy(own, (frame) => frame.module)].entries()) {
    lines.push(`${module} -> a.a${place}:`, `# {"id":"sourceFile","fileName":"${module.split('.').at(-1)}.kt"}`)
    for (const [at, [name, ofMethod]] of [...Map.groupBy(ofClass, (frame) => frame.function)].entries()) {
      for (const [number, line] of [...new Set(ofMethod.map(({ lineno }) => lineno))].entries()) {
        const short = { module: `a.a${place}`, function: `m${at}`, filename: 'SourceFile', lineno: number + 1 }
        lines.push(`    ${number + 1}:${number + 1}:void ${name}():${line}:${line} -> m${at}`)
        renamed.set(toKey({ module, function: name, filename: '', lineno: line }), short)
      }
    }
  }
  const rename = (frame: PlannedCrash['frames'][number]) => renamed.get(toKey(frame)) ?? frame
  return { mapping: `${lines.join('\n')}\n`, rename }
}
