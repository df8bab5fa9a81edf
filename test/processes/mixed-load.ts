/** Runs clients that upload, read, distribute and delete at once, and records what the server acknowledged to them. */
import { setTimeout } from 'node:timers/promises'
import { callApi, createApk, createApplication, toSha256 } from './api.ts'

export interface Ledger {
  applicationIds: number[]
  /** The SHA-256 of each acknowledged build that was not deleted, by id. */
  builds: Map<number, string>
  /** The ids of builds whose deletion was acknowledged. */
  deleted: Set<number>
  /** The ids of builds whose upload or deletion was given up without an answer. */
  unknown: Set<string>
  /** The acknowledged mappings, as application id and map id. */
  symbols: Set<string>
  /** The acknowledged mails, as recipient and secret of the build's install link. */
  mails: Set<string>
  /** How often each operation was answered with each status. */
  statuses: Map<string, number>
  /** Descriptions of answers that contradict what was acknowledged. */
  faults: string[]
}

export interface Load {
  ledger: Ledger
  /** Lets every client finish what it is doing. */
  stop(): Promise<void>
}

interface Call {
  operation: string
  method: string
  path: string
  json?: unknown
  body?: Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Statuses after which a client tries again: no replica behind the proxy, a server that asks for it, a full disk. */
const retried = new Set([429, 502, 503, 504, 507])
/** How long a client retries, in milliseconds. No failure of the tests lasts as long. */
const patienceMs = 120_000

/** Returns numbers from 0 to 1, always the same for a seed (Mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Finds the secret of the first install link in a text. */
export function findSecret(text: string): string {
  return /\/install\/([\w-]{22})/.exec(text)?.[1] ?? ''
}

export async function startLoad(
  url: string,
  { clients, seed, testers }: { clients: number; seed: number; testers: string[] },
): Promise<Load> {
  const ledger: Ledger = {
    applicationIds: [],
    builds: new Map(),
    deleted: new Set(),
    unknown: new Set(),
    symbols: new Set(),
    mails: new Set(),
    statuses: new Map(),
    faults: [],
  }
  for (const index of [0, 1, 2]) ledger.applicationIds.push(await createApplication(url, `app-${index}`))
  const { json: group } = await callApi(url, 'POST', '/v1/distributionGroups', { json: { name: 'Testers' } })
  await callApi(url, 'POST', `/v1/distributionGroups/${group.id}/testers`, { json: { emails: testers } })
  const stopping = new AbortController()
  let versions = 0

  /** Repeats a call until its status is not one to retry. Returns undefined after `patienceMs`. */
  const call = async ({ operation, method, path, ...options }: Call) => {
    const deadline = Date.now() + patienceMs
    for (let attempts = 1; Date.now() < deadline; attempts++) {
      const answer = await callApi(url, method, path, options).catch(() => undefined)
      const key = `${operation} ${answer?.status ?? 'broken'}`
      ledger.statuses.set(key, (ledger.statuses.get(key) ?? 0) + 1)
      if (answer && !retried.has(answer.status)) return { ...answer, attempts }
      await setTimeout(200)
    }
    return undefined
  }
  const fault = (words: string) => void ledger.faults.push(words)

  const upload = async (random: () => number) => {
    const application = Math.floor(random() * 3)
    const version = ++versions
    // Builds of one application share their icon, and some share all of their bytes.
    const body = createApk({
      packageName: `com.example.app${application}`,
      label: `App ${application}`,
      versionCode: version,
      icon: undefined,
    })
    const copies = random() < 0.2 ? 2 : 1
    const headers = { 'X-Service-Application-Alias': `app-${application}` }
    await Promise.all(
      Array.from({ length: copies }, async (_, copy) => {
        const key = `${seed}-${version}-${copy}`
        const answer = await call({
          operation: 'upload',
          method: 'POST',
          path: '/v2/builds',
          body,
          headers: { ...headers, 'Idempotency-Key': key },
        })
        if (!answer) ledger.unknown.add(key)
        else if (answer.status !== 201) fault(`an upload was answered ${answer.status}: ${JSON.stringify(answer.json)}`)
        else if (answer.json.sha256 !== toSha256(body)) fault('an upload was answered with another build')
        else ledger.builds.set(answer.json.id, answer.json.sha256)
      }),
    )
  }

  const pick = (random: () => number) => {
    const ids = [...ledger.builds.keys()]
    return ids[Math.floor(random() * ids.length)]
  }

  const remove = async (random: () => number) => {
    const id = pick(random)
    if (id === undefined || ledger.builds.size < 10) return
    ledger.builds.delete(id)
    const answer = await call({ operation: 'delete', method: 'DELETE', path: `/v1/builds/${id}` })
    // When the answer to a deletion was lost, the client or the proxy repeats it, and the second answer is 404.
    if (answer?.status === 204 || answer?.status === 404) ledger.deleted.add(id)
    else if (answer) fault(`a deletion was answered ${answer.status}`)
    else ledger.unknown.add(String(id))
  }

  const download = async (random: () => number) => {
    const id = pick(random)
    if (id === undefined) return
    const digest = ledger.builds.get(id)
    const answer = await call({ operation: 'download', method: 'GET', path: `/v1/builds/${id}/binary` })
    if (!answer || (answer.status === 404 && !ledger.builds.has(id))) return
    if (answer.status !== 200) fault(`the download of build ${id} was answered ${answer.status}`)
    else if (toSha256(answer.bytes) !== digest) fault(`build ${id} was served with other bytes`)
  }

  const list = async (random: () => number) => {
    const id = ledger.applicationIds[Math.floor(random() * 3)]
    const path = `/v1/applications/${id}/builds?limit=20&q=App`
    const answer = await call({ operation: 'list', method: 'GET', path })
    if (answer && answer.status !== 200) fault(`a list was answered ${answer.status}`)
  }

  const sendSymbols = async (random: () => number) => {
    const application = Math.floor(random() * 3)
    const mapId = `0000000${(++versions).toString(16)}`.slice(-7)
    const answer = await call({
      operation: 'symbols',
      method: 'POST',
      path: '/v2/symbolsFiles',
      body: new TextEncoder().encode(`# compiler: R8\n# pg_map_id: ${mapId}\ncom.example.App${versions} -> a.a:\n`),
      headers: {
        'X-Service-Application-Alias': `app-${application}`,
        'X-Service-Package': `com.example.app${application}`,
        'X-Service-Version-Name': '1.0',
        'X-Service-Version-Code': String(versions),
      },
    })
    if (answer?.status === 201) ledger.symbols.add(`${ledger.applicationIds[application]} ${mapId}`)
    else if (answer) fault(`symbols were answered ${answer.status}: ${JSON.stringify(answer.json)}`)
  }

  const distribute = async (random: () => number) => {
    const id = pick(random)
    if (id === undefined) return
    const build = await call({ operation: 'get', method: 'GET', path: `/v1/builds/${id}` })
    const answer = await call({
      operation: 'distribute',
      method: 'POST',
      path: `/v1/builds/${id}/distribute`,
      json: { distributionGroupIds: [group.id], notifyTesters: true },
    })
    if (!answer || !build || (answer.status === 404 && !ledger.builds.has(id))) return
    if (answer.status >= 300) fault(`the distribution of build ${id} was answered ${answer.status}`)
    else for (const tester of testers) ledger.mails.add(`${tester} ${findSecret(build.json.installUrl)}`)
  }

  const operations: [number, (random: () => number) => Promise<void>][] = [
    [0.35, upload],
    [0.2, download],
    [0.15, remove],
    [0.1, sendSymbols],
    [0.1, distribute],
    [0.1, list],
  ]

  const running = Array.from({ length: clients }, async (_, client) => {
    const random = createRandom(seed * 1000 + client)
    while (!stopping.signal.aborted) {
      let rest = random()
      const chosen = operations.find(([share]) => (rest -= share) < 0) ?? operations[0]
      await chosen?.[1](random)
      // The clients share a machine with all the servers.
      await setTimeout(random() * 100)
    }
  })

  return {
    ledger,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
