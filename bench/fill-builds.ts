import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Inserts an application with many builds into a server's database. Returns the id of a build in the middle. */
export function fillBuilds(path: string, count: number): number {
  using database = new DatabaseSync(path)
  const now = Date.now()
  const details = JSON.stringify({
    signing: null,
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    architectures: ['arm64-v8a'],
    debuggable: false,
    warnings: [],
  })
  database.exec('begin; pragma foreign_keys = on')
  database
    .prepare(
      `insert into applications (id, workspace_id, alias, name, platform, bundle_identifier, build_count, created_at)
       values (1, 1, 'bench', 'Bench', 'android', 'com.example.bench', ?, ?)`,
    )
    .run(count, now)
  database
    .prepare(`insert into blobs (id, sha256, key, size, reference_count, created_at) values (1, ?, ?, 1000, ?, ?)`)
    .run('ab'.repeat(32), `${'ab'.repeat(32)}-bench`, count, now)
  database.exec(
    `insert into distribution_groups (id, workspace_id, name, name_key, created_at) values (1, 1, 'QA', 'qa', ${now})`,
  )
  const insert = database.prepare(
    `insert into builds (workspace_id, application_id, blob_id, secret, short_version, version, bundle_identifier,
       name, file_name, details, source_branch, source_commit, uploaded_by, uploaded_at, expires_at)
     values (1, 1, 1, ?, ?, ?, 'com.example.bench', 'Bench', 'bench.apk', ?, 'main', ?, 'ci', ?, ?)`,
  )
  for (let index = 1; index <= count; index++) {
    const secret = randomBytes(16).toString('base64url')
    insert.run(secret, `1.${index}`, String(index), details, secret, now, now + 90 * 86_400_000)
  }
  database.exec(`insert into build_groups (build_id, group_id, distributed_at) select id, 1, ${now} from builds`)
  database.exec('commit; analyze')
  return Math.ceil(count / 2)
}
