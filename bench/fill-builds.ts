import {
  digits,
  findHighestId,
  type FilledDatabase,
  moveSequence,
  numbers,
  openFilledDatabase,
} from './filled-database.ts'

const dayMs = 86_400_000

/**
 * Inserts an application, unless there is one, with many builds into a server's database, which is given by the path
 * of its SQLite file or by a `postgres:` URL. Nine builds of ten come from the branch `main`, and a hundred share a
 * short version. Returns the id of a build in the middle.
 */
export async function fillBuilds(address: string, count: number): Promise<number> {
  await using database = await openFilledDatabase(address)
  return await insertBuilds(database, count)
}

export async function insertBuilds(database: FilledDatabase, count: number): Promise<number> {
  const now = Date.now()
  const secret = digits(database)
  const details = JSON.stringify({
    signing: null,
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    architectures: ['arm64-v8a'],
    debuggable: false,
    warnings: [],
  })
  await database.run(
    `insert into applications (workspace_id, alias, name, platform, bundle_identifier, created_at)
     values (1, 'bench', 'Bench', 'android', 'com.example.bench', ${now}) on conflict do nothing`,
  )
  const application = await findHighestId(database, 'applications')
  await database.run(
    `insert into distribution_groups (workspace_id, name, name_key, created_at)
     values (1, 'QA', 'qa', ${now}), (1, 'Rare', 'rare', ${now})`,
  )
  const group = (await findHighestId(database, 'distribution_groups')) - 1
  const blobs = await findHighestId(database, 'blobs')
  const builds = await findHighestId(database, 'builds')
  await database.run(
    `insert into blobs (id, sha256, key, size, reference_count, created_at)
     ${numbers(count)}, named as (select n, ${secret} as name from numbers)
     select ${blobs} + n, name || name, name || '-bench', 1000, 1, ${now} from named`,
  )
  const branch = `case when n % 10 > 0 then 'main' else 'feature/' || (n % 50000) end`
  await database.run(
    `insert into builds (id, workspace_id, application_id, blob_id, secret, short_version, version, bundle_identifier,
       name, file_name, details, source_branch, source_commit, uploaded_by, uploaded_at, expires_at)
     ${numbers(count)} select ${builds} + n, 1, ${application}, ${blobs} + n, ${secret}, '1.' || (n / 100),
       cast(n as text), 'com.example.bench', 'Bench', 'bench.apk', '${details}', ${branch}, ${secret}, 'ci',
       ${now - 90 * dayMs} + n, ${now + 90 * dayMs} from numbers`,
  )
  await database.run(
    `insert into build_search (build_id, text)
     select id, short_version || ' ' || version || ' bench bench.apk ' || source_branch || ' ' || source_commit
     from builds where id > ${builds}`,
  )
  await database.run(
    `insert into build_groups (build_id, group_id, distributed_at)
     select id, ${group}, ${now} from builds where id > ${builds}`,
  )
  await database.run(
    `insert into build_groups (build_id, group_id, distributed_at)
     select id, ${group + 1}, ${now} from builds where id > ${builds} and id <= ${builds + 3}`,
  )
  await database.run(`update applications set build_count = build_count + ${count} where id = ${application}`)
  for (const table of ['blobs', 'builds']) await moveSequence(database, table)
  return builds + Math.ceil(count / 2)
}
