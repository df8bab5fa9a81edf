import { Client } from 'pg'

/** Inserts an application with many builds into a server's PostgreSQL. Returns the id of a build in the middle. */
export async function fillPostgres(url: string, count: number): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const now = Date.now()
  const details = JSON.stringify({
    signing: null,
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    architectures: ['arm64-v8a'],
    debuggable: false,
    warnings: [],
  })
  const digest = 'ab'.repeat(32)
  const { rows } = await client.query<{ id: number }>(
    `insert into applications (workspace_id, alias, name, platform, bundle_identifier, build_count, created_at)
     values (1, 'filled', 'Filled', 'android', 'com.example.filled', ${count}, ${now}) returning id::int as id`,
  )
  const application = rows[0]?.id
  await client.query(
    `insert into blobs (id, sha256, key, size, reference_count, created_at)
     overriding system value values (1000000, '${digest}', '${digest}-bench', 1000, ${count}, ${now})`,
  )
  await client.query(
    `insert into builds (workspace_id, application_id, blob_id, secret, short_version, version, bundle_identifier,
       name, file_name, details, source_branch, source_commit, uploaded_by, uploaded_at, expires_at)
     select 1, ${application}, 1000000, md5(n::text), '1.' || n, n::text, 'com.example.filled', 'Filled', 'filled.apk',
      $1,
       'main', md5(n::text), 'ci', ${now}, ${now + 90 * 86_400_000} from generate_series(1, ${count}) n order by n`,
    [details],
  )
  await client.query('vacuum analyze')
  const middle = await client.query<{ id: number }>(
    `select id::int as id from builds order by id offset ${Math.floor(count / 2)} limit 1`,
  )
  await client.end()
  return middle.rows[0]?.id ?? 0
}
