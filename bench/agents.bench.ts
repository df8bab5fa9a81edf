/**
 * Measures the tools of coding agents beside the REST answers that have the same facts, and what the addresses of
 * agents cost a server that nobody calls there: the time of its start and its memory.
 */
import { readFile } from 'node:fs/promises'
import { call, token } from './call.ts'
import { median, printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, startFairlead } from './processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const requestsPerRound = Number(process.env.BENCH_REQUESTS ?? 40)
const gate = 'src/org/tarn/Gate.java'

await using folder = await openTemporaryFolder()
interface Costs {
  cpu: number[]
  memory: number[]
}

const costs: Record<'withAgents' | 'without', Costs> = {
  withAgents: { cpu: [], memory: [] },
  without: { cpu: [], memory: [] },
}
const starts = await takeTurns(rounds, {
  withAgents: () => start(costs.withAgents, true),
  without: () => start(costs.without, false),
})

await using server = await startFairlead(folder.path, token)
const { id: applicationId } = await call<{ id: number }>(server.url, 'POST', '/v1/applications', {
  name: 'Tarn',
  alias: 'tarn',
  platform: 'android',
})
const { key } = await call<{ key: string }>(server.url, 'POST', `/v1/applications/${applicationId}/crashKeys`, {
  name: 'bench',
})
for (let count = 0; count < 20; count++) {
  const report = `java.lang.Error: ${count}\n\tat org.tarn.Gate.open${count}(Gate.java:${count + 3})\n`
  const headers = { 'X-Service-Crash-Key': key }
  await fetch(`${server.url}/v1/applications/${applicationId}/crashes`, { method: 'POST', headers, body: report })
}
let groups: { id: number }[] = []
while (groups.length < 20) {
  groups = await call(server.url, 'GET', `/v1/applications/${applicationId}/crashGroups`)
  await new Promise((resolve) => setTimeout(resolve, 100))
}
await call(server.url, 'PUT', `/v1/applications/${applicationId}/owners`, { content: `${gate} @tarn/gate\n` })
const [{ id: crashGroupId } = { id: 0 }] = groups

const filled = await readMemory(server.pid)
const firstBegan = performance.now()
await callTool('list_applications', {})
const first = performance.now() - firstBegan
const opened = await readMemory(server.pid)

const times = await takeTurns(rounds, {
  list: () => time(() => callTool('list_crashes', { application: 'tarn' })),
  listRest: () => time(() => get(`/v1/applications/${applicationId}/crashGroups?limit=20`)),
  explain: () => time(() => callTool('explain_crash', { crashGroupId })),
  explainRest: () => time(() => get(`/v1/crashGroups/${crashGroupId}/explanation`)),
})

const ms = (value: number) => `${value.toFixed(1)} ms`
const mib = (value: number) => `${value.toFixed(1)} MiB`
printTable(
  ['work', 'tool', 'REST', 'ratio'],
  [
    ['list 20 crash groups', ms(times.list), ms(times.listRest), (times.list / times.listRest).toFixed(2)],
    ['explain a crash', ms(times.explain), ms(times.explainRest), (times.explain / times.explainRest).toFixed(2)],
  ],
)
printTable(
  ['of a server that no agent has called', 'with their addresses', 'without'],
  [
    ['start to first answer', ms(starts.withAgents), ms(starts.without)],
    ['processor time of the start', ms(median(costs.withAgents.cpu)), ms(median(costs.without.cpu))],
    ['resident memory', mib(median(costs.withAgents.memory)), mib(median(costs.without.memory))],
  ],
)
console.log(`\nThe first call of a tool took ${ms(first)}; memory went from ${mib(filled)} to ${mib(opened)}.`)

/** Returns how long a server took to its first answer, and adds its other costs. */
async function start({ cpu, memory }: Costs, hasAgents: boolean): Promise<number> {
  process.env.NODE_OPTIONS = `--import=${import.meta.resolve('./without-agents.ts')}`
  if (hasAgents) process.env.BENCH_KEEP_AGENTS = '1'
  else delete process.env.BENCH_KEEP_AGENTS
  const began = performance.now()
  await using started = await startFairlead(folder.path, token)
  const took = performance.now() - began
  cpu.push(await readProcessorTime(started.pid))
  memory.push(await readMemory(started.pid))
  delete process.env.NODE_OPTIONS
  return took
}

async function get(path: string): Promise<void> {
  const answer = await fetch(server.url + path, { headers: { 'X-Service-Token': token } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
}

/** Calls a tool as an agent of revision 2025-11-25 does, in one request. */
async function callTool(name: string, input: object): Promise<void> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('structuredContent')) throw new Error(`${name}: ${answer.status} ${text}`)
}

/** Returns how long a request took, in milliseconds, on average. */
async function time(request: () => Promise<void>): Promise<number> {
  const began = performance.now()
  for (let count = 0; count < requestsPerRound; count++) await request()
  return (performance.now() - began) / requestsPerRound
}

/** The resident memory of the server after two quiet seconds, in MiB. */
async function readMemory(pid: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** The user and system time of a process so far, in milliseconds. The kernel counts it in hundredths of a second. */
async function readProcessorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}
