/** Fills a server with content of every kind, and its tables with at least one row each. */
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { callApi, createApk, createApplication, uploadBuild, waitUntil } from './api.ts'

const atOnce = 4

/**
 * Sends builds with notes, symbols, distributions, crashes and test reports to a server, as their tools do. Every tenth
 * build has the bytes of the one before it. Resolves when the server has read everything.
 */
export async function fillWorkspace(url: string, builds: number): Promise<void> {
  const applicationId = await createApplication(url, 'shop')
  const send = async (method: string, path: string, options: Parameters<typeof callApi>[3]) => {
    const answer = await callApi(url, method, path, options)
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}`)
    return answer.json
  }
  const group = await send('POST', '/v1/distributionGroups', { json: { name: 'Größe "QA"' } })
  const emails = ['ada@example.com', 'bob@example.com']
  await send('POST', `/v1/distributionGroups/${group.id}/testers`, { json: { emails } })
  const { key } = await send('POST', `/v1/applications/${applicationId}/crashKeys`, { json: { name: 'Release' } })

  let next = 0
  const sendBuilds = async () => {
    for (let version = next++; version < builds; version = next++) {
      const body = createApk({ packageName: 'com.example.shop', label: 'Shop', versionCode: version, icon: undefined })
      const { id } = (await uploadBuild(url, 'shop', body, { 'Idempotency-Key': `build ${version}` })).json
      if (version % 10 === 0) await uploadBuild(url, 'shop', body)
      if (version % 5 !== 0) continue
      await send('PATCH', `/v2/builds/${id}`, { json: { releaseNotes: `Version ${version}: größer\u2028schöner 🚀` } })
      const distribution = { distributionGroupIds: [group.id], notifyTesters: true }
      await send('POST', `/v1/builds/${id}/distribute`, { json: distribution })
      const mapId = version.toString(16).padStart(7, '0')
      await send('POST', '/v2/symbolsFiles', {
        body: Buffer.from(`# compiler: R8\n# pg_map_id: ${mapId}\ncom.example.App${version} -> a.a:\n`),
        headers: {
          'X-Service-Application-Alias': 'shop',
          'X-Service-Package': 'com.example.shop',
          'X-Service-Version-Name': '1.0',
          'X-Service-Version-Code': String(version),
        },
      })
      await send('POST', `/api/${applicationId}/store/`, {
        json: toCrash(version),
        headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_client=test/1, sentry_key=${key}` },
      })
      const headers = { 'X-Service-Application-Alias': 'shop', 'X-Service-Branch': 'main' }
      const report = await send('POST', '/v1/testReports', {
        body: Buffer.from(toReport(version)),
        headers: { ...headers, 'X-Service-Commit': version.toString(16).padStart(40, '0') },
      })
      await send('POST', `/v1/testRuns/${report.run.id}/complete`, {})
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendBuilds))
  await waitUntil('all crashes are read', async () => {
    const { json } = await callApi(url, 'GET', `/v1/applications/${applicationId}/crashIntake`)
    return json.pendingCount === 0
  })
}

function toCrash(version: number): unknown {
  const frames = [{ module: `com.example.Screen${version % 7}`, function: 'open', lineno: version }]
  return {
    event_id: randomUUID().replaceAll('-', ''),
    platform: 'java',
    level: 'fatal',
    release: `com.example.shop@1.0+${version}`,
    exception: { values: [{ type: 'IllegalStateException', value: `closed ${version}`, stacktrace: { frames } }] },
  }
}

/** Writes a report in which one test fails, and one fails and then passes. */
function toReport(version: number): string {
  const failure = `<failure message="expected ${version}" type="AssertionError">at shop.CartTest</failure>`
  return `<testsuite name="unit">
    <testcase classname="shop.CartTest" name="adds" time="0.1"/>
    <testcase classname="shop.CartTest" name="pays ${version % 3}" time="0.2">${failure}</testcase>
    <testcase classname="shop.CartTest" name="ships" time="0.3">
      <flakyFailure message="late" type="TimeoutError"/>
    </testcase>
  </testsuite>`
}

/**
 * Puts one row into each table that has none yet, made from the schema alone, so that no table is forgotten that a
 * later version adds. Returns the names of those tables. No server may use the database meanwhile.
 */
export function fillEmptyTables(path: string): string[] {
  using database = new DatabaseSync(path)
  const all = (text: string) =>
    database
      .prepare(text)
      .all()
      .map((row): Record<string, string | undefined> =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? undefined : String(value)]),
        ),
      )
  const isEmpty = (name: string) => all(`select 1 from "${name}" limit 1`).length === 0
  const listEmpty = () =>
    all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'")
      .map(({ name = '' }) => name)
      .filter(isEmpty)
  const filled: string[] = []
  for (let empty = listEmpty(); empty.length > 0; empty = listEmpty()) {
    const ready = empty.find((name) =>
      all(`select "table" as name from pragma_foreign_key_list('${name}')`).every((one) => !isEmpty(one['name'] ?? '')),
    )
    if (ready === undefined) throw new Error(`These tables refer to each other: ${empty.join(', ')}`)
    const references = all(`select "from", "table", "to" from pragma_foreign_key_list('${ready}')`)
    const columns = all(`select name, type from pragma_table_info('${ready}')`)
    const values = columns.map(({ name = '', type = '' }) => {
      const reference = references.find(({ from }) => from === name)
      if (reference) return `(select max("${reference['to'] ?? 'id'}") from "${reference['table']}")`
      if (/text/i.test(type)) return `'${ready} ü'`
      if (/double/i.test(type)) return '0.1'
      return /blob/i.test(type) ? "x'00ff80'" : '1'
    })
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    database.exec(`insert into "${ready}" (${names}) values (${values.join(', ')})`)
    filled.push(ready)
  }
  // The new rows may refer to blobs, and each blob counts its references.
  const referring = all(`select m.name as "table", f."from" as "column" from sqlite_master m
    join pragma_foreign_key_list(m.name) f where m.type = 'table' and f."table" = 'blobs'`)
  const counts = referring.map(({ table, column }) => `(select count(*) from "${table}" where "${column}" = blobs.id)`)
  database.exec(`update blobs set reference_count = ${counts.join(' + ')}`)
  return filled
}
