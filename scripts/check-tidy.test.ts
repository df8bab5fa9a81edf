import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { findTidyFaults } from './check-tidy.ts'

/** Writes the files of a repository to a temporary folder and returns its faults. */
function checkRepository(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-tidy-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return findTidyFaults(root, Object.keys(files))
  } finally {
    rmSync(root, { recursive: true })
  }
}

const tree = { 'docs/ARCHITECTURE.md': '```\n  maps/      maps\n  cli/       the command\n```\n' }

/** A package with an entry point, and a program that has `source`. */
function withPackage(entryPoint: string, source: string): Record<string, string> {
  return {
    ...tree,
    'packages/maps/package.json': '{ "name": "@fairlead/maps", "exports": { ".": "./src/index.ts" } }',
    'packages/maps/src/index.ts': entryPoint,
    'apps/cli/main.ts': source,
  }
}

describe('The tidy check', () => {
  it('refuses what profilers, crashes, merges and patches leave behind', () => {
    const stray = [
      'isolate-0x3ae1-77-v8.log',
      'bench/isolate-1.log',
      'core',
      'apps/core.4711',
      'a.cpuprofile',
      'b.heapsnapshot',
      'src/c.ts.orig',
      'd.rej',
    ]
    const kept = { 'src/core/a.ts': '', 'src/core.ts': '', 'docs/log.md': '', 'isolate.ts': '' }
    const faults = checkRepository({ ...kept, ...tree, ...Object.fromEntries(stray.map((path) => [path, ''])) })
    assert.deepEqual(
      faults.filter((fault) => fault.includes('git rm')).map((fault) => fault.split(':')[0]),
      stray,
    )
  })

  it("compares the server's folders with the table of its README in both directions", () => {
    const faults = checkRepository({
      ...tree,
      'docs/ARCHITECTURE.md': '  server/  the service\n',
      'apps/server/README.md': '| Folder | Content |\n| `builds` `gone` | uses `mails` |\n',
      'apps/server/src/builds/a.ts': '',
      'apps/server/src/mails/a.ts': '',
      'apps/server/src/main.ts': '',
    })
    assert.deepEqual(faults, [
      'apps/server/README.md: apps/server/src/mails is missing',
      'apps/server/README.md: apps/server/src/gone is listed and does not exist',
    ])
  })

  it('requires packages and programs in the architecture', () => {
    const faults = checkRepository({ ...tree, 'packages/zip/a.ts': '', 'apps/cli/a.ts': '', 'apps/phone/a.ts': '' })
    assert.deepEqual(faults, [
      'docs/ARCHITECTURE.md: packages/zip is missing',
      'docs/ARCHITECTURE.md: apps/phone is missing',
    ])
  })

  it('requires a line for each decision and for each hole in their numbers', () => {
    const decisions = {
      ...tree,
      'docs/decisions/001-keys.md': '',
      'docs/decisions/003-mails.md': '',
      'docs/decisions/005-locks.md': '',
    }
    assert.deepEqual(
      checkRepository({ ...decisions, 'docs/decisions/README.md': '- [001](001-keys.md): Keys.\n- 002: Dropped.\n' }),
      [
        'docs/decisions/README.md: 003 is missing',
        'docs/decisions/README.md: no line says why there is no 004',
        'docs/decisions/README.md: 005 is missing',
      ],
    )
  })

  it('requires a line for each hole in the numbers of migrations, and refuses a number that is given twice', () => {
    const migrations = 'apps/server/src/db/migrations'
    const faults = checkRepository({
      'docs/ARCHITECTURE.md': '  server/  the service\n',
      'apps/server/README.md': '| `db` | the database |\n',
      [`${migrations}/001-tables.ts`]: '',
      [`${migrations}/003-keys.ts`]: '',
      [`${migrations}/003-keys.test.ts`]: '',
      [`${migrations}/003-mails.ts`]: '',
    })
    assert.deepEqual(faults, [
      `${migrations}/README.md: no line says why there is no 002`,
      `${migrations}: 003-keys.ts and 003-mails.ts have the same number`,
    ])
  })

  it('requires a row of the data model for each table', () => {
    const faults = checkRepository({
      'docs/ARCHITECTURE.md': '  server/  the service\n',
      'apps/server/README.md': '| `db` | the database |\n',
      'docs/data-model.md': '| `builds` | uploaded |\n',
      'apps/server/src/db/schema/builds.ts': '  builds: BuildsTable\n  commits: CommitsTable\n',
    })
    assert.deepEqual(faults, ['docs/data-model.md: the table commits is missing'])
  })

  it('refuses an export that no other workspace imports', () => {
    const door = "export { a, type B, c as d } from './a.ts'\nexport type {\n  E,\n} from './e.ts'\n"
    const faults = checkRepository({
      ...withPackage(door, "import { type B } from '@fairlead/maps'"),
      'packages/maps/src/own.test.ts': "import { a } from '@fairlead/maps'",
    })
    assert.deepEqual(faults, [
      'packages/maps/src/index.ts: no other workspace imports a of @fairlead/maps',
      'packages/maps/src/index.ts: no other workspace imports d of @fairlead/maps',
      'packages/maps/src/index.ts: no other workspace imports E of @fairlead/maps',
    ])
  })

  it('counts static, dynamic and renaming imports, those of all names, and the example of the README', () => {
    const door = "export { a, b, c as d, type E } from './a.ts'\n"
    const uses = [
      "import {\n  a,\n  type E as Other,\n} from '@fairlead/maps'",
      "const { b: opened } = await import('@fairlead/maps')",
    ]
    const example = { 'packages/maps/README.md': "```ts\nimport { d } from '@fairlead/maps'\n```\n" }
    assert.deepEqual(checkRepository({ ...withPackage(door, uses.join('\n')), ...example }), [])
    assert.deepEqual(checkRepository(withPackage(door, "import * as maps from '@fairlead/maps'")), [])
  })

  it('refuses an entry point that nobody imports, and one that passes on everything', () => {
    assert.deepEqual(checkRepository(withPackage("export { a } from './a.ts'", '')), [
      'packages/maps/package.json: no other workspace imports @fairlead/maps',
    ])
    assert.deepEqual(checkRepository(withPackage("export * from './a.ts'", "import { a } from '@fairlead/maps'")), [
      'packages/maps/src/index.ts: no other workspace imports * of @fairlead/maps',
    ])
  })
})
