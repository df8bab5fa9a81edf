import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { findImportFaults, findLayerTableFaults } from './check-imports.ts'

/** Writes the files of a project to a temporary folder and returns the faults of its imports. */
function checkProject(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-imports-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return findImportFaults(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const contract = { 'packages/contract/package.json': '{ "name": "@fairlead/contract" }' }
const server = { 'apps/server/package.json': '{ "name": "@fairlead/server" }' }

describe('The import check', () => {
  it('accepts imports without a cycle', () => {
    const faults = checkProject({
      ...contract,
      'packages/contract/src/index.ts': "export { a } from './one/a.ts'",
      'packages/contract/src/one/a.ts': "import { b } from '../two/b.ts'\nexport const a = b",
      'packages/contract/src/two/b.ts': 'export const b = 1',
    })
    assert.deepEqual(faults, [])
  })

  it('fails on a cycle of two files, even if one import is of a type', () => {
    const faults = checkProject({
      ...contract,
      'packages/contract/src/a.ts': "import { b } from './b.ts'\nexport type A = 1\nexport const a = b",
      'packages/contract/src/b.ts': "import type { A } from './a.ts'\nexport const b: A = 1",
    })
    assert.deepEqual(faults, [
      'an import cycle: packages/contract/src/a.ts imports packages/contract/src/b.ts, ' +
        'packages/contract/src/b.ts imports packages/contract/src/a.ts',
    ])
  })

  it('fails on a cycle of folders that is not a cycle of files', () => {
    const faults = checkProject({
      ...contract,
      'packages/contract/src/one/a.ts': "import '../two/deep/b.ts'",
      'packages/contract/src/one/d.ts': '',
      'packages/contract/src/two/deep/b.ts': '',
      'packages/contract/src/two/c.ts': "import '../one/d.ts'",
    })
    assert.deepEqual(faults, [
      'an import cycle: packages/contract/src/one/a.ts imports packages/contract/src/two/deep/b.ts, ' +
        'packages/contract/src/two/c.ts imports packages/contract/src/one/d.ts',
    ])
  })

  it('treats a file beside folders as a layer of its own and ignores tests', () => {
    const faults = checkProject({
      ...contract,
      'packages/contract/src/index.ts': "import './one/a.ts'",
      'packages/contract/src/one/a.ts': "import '../base.ts'",
      'packages/contract/src/one/a.test.ts': "import '../index.ts'",
      'packages/contract/src/base.ts': '',
    })
    assert.deepEqual(faults, [])
  })

  it('fails when a file of the server imports from a higher layer', () => {
    const faults = checkProject({
      ...server,
      'apps/server/src/db/open.ts': "import '../builds/upload.ts'",
      'apps/server/src/builds/upload.ts': '',
    })
    assert.deepEqual(faults, [
      'apps/server/src/db/open.ts: apps/server/src/builds/upload.ts is not in a lower layer of the server; ' +
        'in serverLayers, db is not above builds',
    ])
  })

  it('fails on a folder of the server that has no layer', () => {
    const faults = checkProject({ ...server, 'apps/server/src/new/a.ts': "import '../db/open.ts'" })
    assert.deepEqual(faults, [
      'apps/server/src/new/a.ts: new is in no layer of the server; add it to serverLayers, above all that it imports',
    ])
  })

  it('fails when a feature of the server imports the store of another', () => {
    const faults = checkProject({
      ...server,
      'apps/server/src/install/routes.ts': "import '../builds/store.ts'",
      'apps/server/src/builds/store.ts': '',
      'apps/server/src/builds/upload.ts': "import './store.ts'",
    })
    assert.deepEqual(faults, [
      'apps/server/src/install/routes.ts: apps/server/src/builds/store.ts is private to its feature; ' +
        'a verb or find.ts exports what others need',
    ])
  })

  it('lets every feature use the stores that keep the files of blobs, and not those that hold their rows', () => {
    const faults = checkProject({
      ...server,
      'apps/server/src/builds/upload.ts': "import '../blobs/blob-store.ts'\nimport '../blobs/record-store.ts'",
      'apps/server/src/blobs/blob-store.ts': '',
      'apps/server/src/blobs/record-store.ts': '',
    })
    assert.deepEqual(faults, [
      'apps/server/src/builds/upload.ts: apps/server/src/blobs/record-store.ts is private to its feature; ' +
        'a verb or find.ts exports what others need',
    ])
  })

  it('compares the layers with the table of the page on the architecture', () => {
    const layers = [['main.ts', 'testing'], ['builds', 'testers'], ['jobs', 'http'], ['oidc'], ['settings']]
    const head = '| Layer | Files and folders |\n| --- | --- |\n'
    const first = '| Process | `main.ts` |\n| Features | `testers` `builds` (and uploads) |\n'
    const good = `${head}${first}| Services | \`http\` \`jobs\`, above \`oidc\` (providers) |\n\nAfter \`it\`.\n`
    assert.deepEqual(findLayerTableFaults(good, layers), [])
    const fault = (has: string, row: string) => [
      `docs/ARCHITECTURE.md: the table of layers has "${has}" where serverLayers has "${row}"`,
    ]
    assert.deepEqual(findLayerTableFaults(good.replace('`jobs`', ''), layers), fault('http', 'http jobs'))
    assert.deepEqual(findLayerTableFaults(good.replace(', above', ''), layers), fault('http jobs oidc', 'http jobs'))
    assert.deepEqual(findLayerTableFaults(good.replace('(pro', '`logs` (pro'), layers), fault('logs oidc', 'oidc'))
    assert.deepEqual(findLayerTableFaults(`${head}${first}`, layers), fault('', 'http jobs'))
    assert.deepEqual(
      findLayerTableFaults(`${good.trimEnd().replace(/\n\nAfter.*/, '')}\n| More | \`a\` |\n`, layers),
      fault('a', ''),
    )
  })

  it('fails on SQL outside of stores', () => {
    const faults = checkProject({
      ...server,
      'apps/server/src/builds/list.ts': "\nawait db.selectFrom('builds').execute()",
      'apps/server/src/builds/remove.ts': "await db\n  .deleteFrom('builds')\n  .execute()",
      'apps/server/src/builds/count.ts': 'await sql<number>`select 1`.execute(db)',
      'apps/server/src/builds/blob-store.ts': "await db.insertInto('builds').execute()",
      'apps/server/src/builds/list.test.ts': "await db.updateTable('builds').execute()",
      'apps/server/src/moving/export.ts': "await db.selectFrom('builds').execute()",
    })
    assert.deepEqual(faults, [
      'apps/server/src/builds/count.ts:1: holds SQL, which belongs in a store',
      'apps/server/src/builds/list.ts:2: holds SQL, which belongs in a store',
      'apps/server/src/builds/remove.ts:2: holds SQL, which belongs in a store',
    ])
  })

  it('fails on a forbidden dependency between packages', () => {
    const faults = checkProject({
      'packages/contract/package.json': '{ "name": "@fairlead/contract", "dependencies": { "@fairlead/server": "1" } }',
      'packages/contract/src/index.ts': "import '../../binary/src/zip.ts'",
    })
    assert.deepEqual(faults, [
      'packages/contract/package.json: @fairlead/contract may not depend on @fairlead/server',
      'packages/contract/src/index.ts: packages/binary/src/zip.ts is in another package',
    ])
  })
})
