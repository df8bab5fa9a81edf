/**
 * Measures the page of a tester with 500 builds beside one with 50, and beside its `builds.json`. A page of ten times
 * as many builds should cost no more than ten times as much.
 */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { call, token } from './call.ts'
import { fillBuilds } from './fill-builds.ts'
import { printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, startFairlead } from './processes.ts'

const rounds = 3
const requestsPerRound = Number(process.env.BENCH_REQUESTS ?? 20)
const buildCount = 2000
const counts = [50, 500] as const

await using folder = await openTemporaryFolder()
const path = join(folder.path, 'fairlead.db')
const pages: string[] = []
{
  await using first = await startFairlead(folder.path, token)
  for (const count of counts) pages.push(await createTester(first.url, count))
}
await fillBuilds(path, buildCount)
giveBuilds()

await using server = await startFairlead(folder.path, token)
const [small = '', large = ''] = pages
const times = await takeTurns(rounds, {
  small: () => time(small),
  large: () => time(large),
  list: () => time(`${large}/builds.json`),
})
const ms = (value: number) => `${value.toFixed(2)} ms`
printTable(
  ['work', 'time', 'of 50 builds', 'ratio'],
  [
    ['the page of a tester with 500 builds', ms(times.large), ms(times.small), (times.large / times.small).toFixed(2)],
    ['builds.json of 500 builds', ms(times.list), ms(times.small), (times.list / times.small).toFixed(2)],
  ],
)

/** Adds a tester to a group of their own and returns the address of the page. */
async function createTester(url: string, count: number): Promise<string> {
  const group = await call<{ id: number }>(url, 'POST', '/v1/distributionGroups', { name: `Of ${count}` })
  const testers = await call<{ pageUrl: string }[]>(url, 'POST', `/v1/distributionGroups/${group.id}/testers`, {
    emails: [`tester-${count}@example.com`],
  })
  return new URL(testers[0]?.pageUrl ?? '').pathname
}

/** Distributes the newest builds to each of the testers, who have installed every tenth. */
function giveBuilds(): void {
  const database = new DatabaseSync(path)
  for (const count of counts) {
    database.exec(`
      insert into build_groups (build_id, group_id, distributed_at)
        select builds.id, distribution_groups.id, 1 from builds, distribution_groups
        where distribution_groups.name = 'Of ${count}' order by builds.id desc limit ${count};
      insert into installs (build_id, tester_id, kind, created_at)
        select build_groups.build_id, group_testers.tester_id, 'install', 1 from build_groups
        join group_testers on group_testers.group_id = build_groups.group_id where build_groups.build_id % 10 = 0`)
  }
  database.close()
}

/** Returns how long a request took, in milliseconds, on average. */
async function time(address: string): Promise<number> {
  const began = performance.now()
  for (let request = 0; request < requestsPerRound; request++) {
    const answer = await fetch(server.url + address)
    const text = await answer.text()
    if (!answer.ok || text.length < 5000) throw new Error(`${address}: ${answer.status} ${text.slice(0, 200)}`)
  }
  return (performance.now() - began) / requestsPerRound
}
