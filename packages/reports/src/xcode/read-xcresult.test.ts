import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { listOutcomes, readArchive } from '../../test/read-upload.ts'
import { openTemporaryFolder } from '../../test/temporary-folder.ts'

/** Creates the tables that are read, with a test that failed and then passed, and a test with arguments. */
const tables = `
  create table Testables (name text);
  insert into Testables values ('AppTests');
  create table TestableRuns (testable_fk integer, testPlanRun_fk integer);
  insert into TestableRuns values (1, 1);
  create table TestSuites (identifier text);
  insert into TestSuites values ('Cart');
  create table TestSuiteRuns (testableRun_fk integer, parentSuiteRun_fk integer);
  insert into TestSuiteRuns values (1, null), (null, 1);
  create table TestCases (identifier text, name text, testSuite_fk integer);
  insert into TestCases values ('Cart/adds()', 'adds()', 1), (null, 'removes()', 1);
  create table RepetitionPolicies (repetition integer);
  insert into RepetitionPolicies values (1), (2);
  create table TestCaseRuns
    (result text, duration real, testSuiteRun_fk integer, testCase_fk integer, repetitionPolicy_fk integer);
  insert into TestCaseRuns values ('Failure', 0.5, 2, 1, 1), ('Success', 0.25, 2, 1, 2), ('Success', 1, 2, 1, 1),
    ('Expected Failure', 2, 2, 2, null);
  create table TestValues (description text);
  insert into TestValues values ('1'), ('"a"');
  create table Arguments (testCaseRun_fk integer, testValue_fk integer, orderInTestCaseRun integer);
  insert into Arguments values (4, 2, 1), (4, 1, 0);
  create table SourceCodeLocations (filePath text, lineNumber integer);
  insert into SourceCodeLocations values ('/ci/Cart.swift', 7);
  create table SourceCodeContexts (location_fk integer);
  insert into SourceCodeContexts values (1);
  create table TestIssues (testCaseRun_fk integer, compactDescription text, sourceCodeContext_fk integer);
  insert into TestIssues values (1, 'expected 2', 1);
  create table Activities (testCaseRun_fk integer, parent_fk integer);
  insert into Activities values (1, null), (null, 1);
  create table Attachments (name text, xcResultKitPayloadRefId text, activity_fk integer);
  insert into Attachments values ('log', '0~abc', 2), ('gone', '0~none', 2);`

function writeBundle(script: string): Record<string, Uint8Array | string> {
  using folder = openTemporaryFolder()
  const path = join(folder.path, 'database.sqlite3')
  const database = new DatabaseSync(path)
  database.exec(script)
  database.close()
  return {
    'T.xcresult/Info.plist': '<plist/>',
    'T.xcresult/database.sqlite3': readFileSync(path),
    'T.xcresult/Data/data.0~abc': zstdCompressSync('attached'),
  }
}

describe('a result bundle of Xcode', () => {
  it('gives cases with attempts, arguments, places and attachments', async () => {
    const report = await readArchive(writeBundle(tables))
    assert.equal(report.format, 'xcresult')
    assert.deepEqual(listOutcomes(report), ['adds(): failed passed', 'adds() #2: passed', 'removes(): passed'])
    const [adds, , removes] = report.cases
    assert.deepEqual([adds?.suite, adds?.class, adds?.durationMs], ['AppTests', 'Cart', 250])
    assert.deepEqual(adds?.attempts[0]?.failures[0]?.place, { file: '/ci/Cart.swift', line: 7 })
    assert.deepEqual(
      adds?.attachments.map(({ name, file, attempt }) => [
        name,
        file === null ? null : report.readAttachment(file),
        attempt,
      ]),
      [
        ['log', 'attached', 1],
        ['gone', null, 1],
      ],
    )
    assert.deepEqual([removes?.class, removes?.parameters, report.warnings], ['Cart', '1, "a"', []])
  })

  const hostile = {
    'a view': 'alter table TestCaseRuns rename to R; create view TestCaseRuns as select R.* from R;',
    'computed columns': 'alter table TestCaseRuns add column x generated always as (hex(zeroblob(400000000)));',
    'a missing table': 'drop table TestCaseRuns;',
  }
  for (const [what, script] of Object.entries(hostile)) {
    it(`is refused for ${what}`, async () => {
      await assert.rejects(readArchive(writeBundle(tables + script)), {
        code: 'malformed',
        source: 'T.xcresult/Info.plist',
      })
    })
  }

  it('ends if suites contain each other in a cycle', async () => {
    const circle = 'update TestSuiteRuns set testableRun_fk = null, parentSuiteRun_fk = rowid;'
    const { cases } = await readArchive(writeBundle(tables + circle))
    assert.deepEqual([cases.length, cases[0]?.suite], [3, null])
  })
})
