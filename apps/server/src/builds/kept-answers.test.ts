/**
 * Random changes, restarts and lost connections, with the answers of all servers compared with one that keeps nothing.
 *
 * `FAIRLEAD_TEST_KEPT_STEPS=10000` makes it longer than its short form, `FAIRLEAD_TEST_SEED` changes what happens.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import { Client } from 'pg'
import { type Browser, join } from '../testing/browser.ts'
import { createRandom } from '../testing/plain-retention.ts'
import { plainHeaders, type Replicas, startReplicas } from '../testing/replicas.ts'
import { type Answer, call, type CallOptions, initialToken } from '../testing/start-server.ts'
import { createApk, createApplication, uploadBytes } from '../testing/upload.ts'

const steps = Number(process.env.FAIRLEAD_TEST_KEPT_STEPS ?? 120)
const seed = Number(process.env.FAIRLEAD_TEST_SEED ?? 1)

describe(`the answers of all servers during ${steps} random steps`, () => {
  let replicas: Replicas
  const random = createRandom(seed)
  const builds: number[] = []
  const groups: number[] = []
  const tokens: { id: number; token: string }[] = []
  const gone = { builds: [] as number[], tokens: [] as string[] }
  const applications: { id: number; alias: string }[] = []
  const counts = { reads: 0, changes: 0 }
  let bob: Browser
  let name = 0

  const pick = <Item>(items: Item[]): Item => requireAt(items, Math.floor(random() * items.length))
  const take = <Item>(items: Item[]): Item => requireAt(items.splice(Math.floor(random() * items.length), 1), 0)

  /** Calls any server. One whose connections to the database were cut says so once for each of them. */
  const callOne = async (url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    for (;;) {
      const answer = await call(url, method, path, options)
      if (answer.status !== 503) return answer
    }
  }
  const any = {
    call: (method: string, path: string, options?: CallOptions) => callOne(pick(replicas.urls), method, path, options),
  }
  const succeed = async (method: string, path: string, options?: CallOptions): Promise<Answer> => {
    const answer = await any.call(method, path, options)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }

  const mapping = (id: string) =>
    `# compiler: R8\n# pg_map_id: ${id}\ncom.example.Shop -> a.a:\n    1:1:void open():10:10 -> a\n`
  const mapIds = ['0123abc', '89abcde']

  const changes: Record<string, () => Promise<unknown>> = {
    notes: () => succeed('PATCH', `/v2/builds/${pick(builds)}`, { json: { releaseNotes: `notes ${++name}` } }),
    pin: () => succeed(pick(['PUT', 'DELETE']), `/v1/builds/${pick(builds)}/pin`),
    distribute: () =>
      succeed('POST', `/v1/builds/${pick(builds)}/distribute`, { json: { distributionGroupIds: [pick(groups)] } }),
    renameGroup: () =>
      succeed('PATCH', `/v1/distributionGroups/${pick(groups)}`, { json: { name: `group ${++name}` } }),
    async replaceGroup() {
      await succeed('DELETE', `/v1/distributionGroups/${take(groups)}`)
      await createGroup()
    },
    async replaceToken() {
      const { id, token } = take(tokens)
      await succeed('DELETE', `/v1/apiTokens/${id}`)
      gone.tokens.push(token)
      await createToken()
    },
    async upload() {
      await upload()
    },
    async deleteBuild() {
      if (builds.length < 4) return
      const id = take(builds)
      await succeed('DELETE', `/v1/builds/${id}`)
      gone.builds.push(id)
    },
    renameApplication: () =>
      succeed('PATCH', `/v1/applications/${pick(applications).id}`, { json: { name: `app ${++name}` } }),
    addSymbols: () =>
      succeed('POST', '/v2/symbolsFiles', {
        headers: {
          'X-Service-Application-Alias': pick(applications).alias,
          'X-Service-Package': 'com.example.shop',
          'X-Service-Version-Name': '1.0',
          'X-Service-Version-Code': '7',
        },
        body: mapping(pick(mapIds)),
      }),
    async deleteSymbols() {
      const { json } = await succeed('GET', `/v1/applications/${pick(applications).id}/symbolsFiles`)
      if (json.length > 0) await succeed('DELETE', `/v1/symbolsFiles/${json[0].id}`)
    },
    setRole: () =>
      succeed('PATCH', `/v1/members/${bob.session?.account.id}`, { json: { role: pick(['viewer', 'admin']) } }),
  }

  async function createGroup(): Promise<void> {
    groups.push((await succeed('POST', '/v1/distributionGroups', { json: { name: `group ${++name}` } })).json.id)
  }
  async function createToken(): Promise<void> {
    tokens.push((await succeed('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'viewer' } })).json)
  }
  async function upload(): Promise<void> {
    const data = Buffer.from(`~~R8{"pg-map-id":"${pick(mapIds)}"}\0`)
    const { alias } = pick(applications)
    const apk = createApk({
      packageName: `com.example.${alias}`,
      versionCode: ++name,
      files: [{ name: 'classes.dex', data }],
    })
    builds.push((await uploadBytes(any, apk, { alias })).id)
  }

  /** Compares what all servers answer with what the one answers that keeps nothing. */
  async function compare(path: string, token: string): Promise<void> {
    const plain = await callOne(replicas.plainUrl, 'GET', path, { token, headers: plainHeaders })
    const simplify = ({ status, text, headers }: Answer) => ({
      status,
      text: status === 200 ? text : '',
      head: ['x-total-count', 'link', 'etag'].map((header) => headers.get(header)),
    })
    for (const url of replicas.urls) {
      const answer = await callOne(url, 'GET', path, { token })
      assert.deepEqual(simplify(answer), simplify(plain), `${path} after ${counts.reads} reads`)
      counts.reads++
    }
    if (gone.tokens.includes(token)) assert.equal(plain.status, 401)
    else if (gone.builds.some((id) => path === `/v1/builds/${id}`)) assert.equal(plain.status, 404)
    else assert.equal(plain.status, 200)
  }

  const anyPath = (): string => {
    if (random() < 0.5) return `/v1/builds/${random() < 0.1 ? pick([...gone.builds, ...builds]) : pick(builds)}`
    const filter = pick(['', '', `&cursor=${pick(builds)}`, '&branch=main', `&distributionGroupName=group%20${name}`])
    return `/v1/applications/${pick(applications).id}/builds?limit=${pick([2, 5, 50])}${filter}`
  }
  const anyToken = (): string => (random() < 0.1 ? pick([...gone.tokens, initialToken]) : pick(tokens).token)

  before(async () => {
    replicas = await startReplicas()
    for (const alias of ['shop', 'chat']) applications.push({ id: (await createApplication(any, alias)).id, alias })
    for (let count = 0; count < 2; count++) await createGroup()
    for (let count = 0; count < 3; count++) await createToken()
    for (let count = 0; count < 6; count++) await upload()
    // A workspace keeps one administrator.
    await join({ ...any, token: initialToken }, { email: 'ada@example.com', role: 'admin' })
    bob = await join({ ...any, token: initialToken }, { email: 'bob@example.com', role: 'viewer' })
  })
  after(() => replicas[Symbol.asyncDispose]())

  it('take as many statements over PostgreSQL as docs/operating.md says', async (context) => {
    if (replicas.urls.length === 1) return
    const { token } = pick(tokens)
    const id = pick(builds)
    const { json } = await succeed('GET', `/v1/builds/${id}`)
    const paths = [`/v1/builds/${id}`, `/v1/applications/${json.applicationId}/builds?limit=50`]
    for (const [index, path] of paths.entries()) {
      const url = pick(replicas.urls)
      const get = () => callOne(url, 'GET', path, { token })
      await get()
      assert.equal(await countStatements(context, get), 1)
      await succeed('PATCH', `/v2/builds/${id}`, { json: { releaseNotes: `notes ${++name}` } })
      const plain = index === 0 ? 2 : 3
      assert.equal(await countStatements(context, get), 1 + plain)
      const fresh = `${path}${index === 0 ? '?' : '&'}asked=first`
      assert.equal(await countStatements(context, () => callOne(url, 'GET', fresh, { token })), plain)
    }
  })

  it('are those of one that keeps nothing', async (context) => {
    for (let step = 0; step < steps; step++) {
      const path = anyPath()
      const token = anyToken()
      if (step % 50 === 49) await replicas.restart(Math.floor(random() * replicas.urls.length))
      if (step % 70 === 69) await replicas.cutConnections()
      if (random() < 0.7) {
        await compare(path, token)
        continue
      }
      const kind = pick(Object.keys(changes))
      // These answers may be from before the change or after it, but what is kept of them must not outlive it.
      const during = replicas.urls.map((url) => callOne(url, 'GET', path, { token }))
      await changes[kind]?.()
      counts.changes++
      await Promise.all(during)
      await compare(path, token)
      const statuses = await Promise.all(replicas.urls.map(async (url) => asBob(url)))
      assert.deepEqual(new Set(statuses).size, 1)
    }
    context.diagnostic(`${counts.reads} answers compared, ${counts.changes} changes, seed ${seed}`)
  })

  /** Counts what all servers send to PostgreSQL during a call. */
  async function countStatements(context: TestContext, run: () => Promise<unknown>): Promise<number> {
    const { mock } = context.mock.method(Client.prototype, 'query')
    await run()
    mock.restore()
    return mock.callCount()
  }

  /** The answer of a list for administrators to the member whose role changes. */
  async function asBob(url: string): Promise<number> {
    const { cookie = '' } = bob
    return (await callOne(url, 'GET', '/v1/apiTokens', { token: null, headers: { Cookie: cookie } })).status
  }
})
