/**
 * Reads the database of a result bundle. SQLite parses foreign files in native code, where only the end of the process
 * stops a query, so a server reads uploads in a worker process (`createReportReader`). The database is opened read-only
 * and immutable. Tables that are views, virtual or have computed columns are refused, because they can run forever or
 * request gigabytes. Columns vary with the version of Xcode; missing ones are null.
 */
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ReportsError } from '../reports-error.ts'
import type { CaseRun } from './case-run.ts'

const maxText = 262_144
const maxDepth = 64
/** The number of arguments, issues and attachments that may be read for each allowed case. */
const partsPerCase = 4
/** The memory of SQLite in bytes. The limit holds for the whole process. */
const heapBytes = 268_435_456

/** The columns to read, and the type of their values. */
type Columns = Record<string, 'text' | 'number'>
/** A row with its rowid. A value of another type than requested is null. */
type Row<Of extends Columns> = { id: number } & {
  [Name in keyof Of]: (Of[Name] extends 'text' ? string : number) | null
}

/** @throws {ReportsError} malformed, too-large */
export function readDatabase(path: string, maxCases: number): CaseRun[] {
  try {
    return [...readCaseRuns(path, maxCases)]
  } catch (error) {
    if (error instanceof ReportsError || !(error instanceof Error)) throw error
    throw new ReportsError('malformed', `The database: ${error.message}`, {}, { cause: error })
  }
}

function* readCaseRuns(file: string, maxCases: number): Generator<CaseRun, void> {
  const url = pathToFileURL(file)
  url.search = '?immutable=1'
  using database = new DatabaseSync(url, { readOnly: true, allowExtension: false })
  database.exec(`PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
    PRAGMA hard_heap_limit = ${heapBytes}; PRAGMA temp_store = MEMORY`)
  const bundles = readBundles(database, maxCases)
  const parameters = readParameters(database, maxCases)
  const issues = readIssues(database, maxCases)
  const attachments = readAttachments(database, maxCases)
  const rows = select(database, 'TestCaseRuns', {
    result: 'text',
    duration: 'number',
    testSuiteRun_fk: 'number',
    testCase_fk: 'number',
    repetitionPolicy_fk: 'number',
    skipNotice_fk: 'number',
  })
  const cases = indexById(database, 'TestCases', { identifier: 'text', name: 'text', testSuite_fk: 'number' }, maxCases)
  const suites = indexById(database, 'TestSuites', { identifier: 'text' }, maxCases)
  const policies = indexById(database, 'RepetitionPolicies', { repetition: 'number' }, maxCases, true)
  const notices = indexById(database, 'SkipNotices', { message: 'text' }, maxCases, true)
  let count = 0
  for (const row of rows) {
    if (++count > maxCases) throw new ReportsError('too-large', `The database has more than ${maxCases} runs of cases.`)
    const { id } = row
    const test = find(cases, row.testCase_fk)
    const bundle = find(bundles, row.testSuiteRun_fk)
    yield {
      id,
      case: row.testCase_fk,
      result: row.result ?? '',
      seconds: row.duration,
      identifier: test?.identifier ?? null,
      name: test?.name ?? null,
      suiteIdentifier: find(suites, test?.testSuite_fk)?.identifier ?? null,
      bundle: bundle?.name ?? null,
      planRun: bundle?.planRun ?? null,
      repetition: find(policies, row.repetitionPolicy_fk)?.repetition ?? null,
      skipReason: find(notices, row.skipNotice_fk)?.message ?? null,
      parameters: parameters.get(id)?.join(', ') ?? null,
      issues: issues.get(id) ?? [],
      attachments: attachments.get(id) ?? [],
    }
  }
}

/** Finds the bundle and the test plan run of each suite run. */
function readBundles(database: DatabaseSync, maxCases: number) {
  const columns = { testableRun_fk: 'number', parentSuiteRun_fk: 'number' } as const
  const suiteRuns = indexById(database, 'TestSuiteRuns', columns, maxCases)
  const runs = indexById(database, 'TestableRuns', { testable_fk: 'number', testPlanRun_fk: 'number' }, maxCases)
  const testables = indexById(database, 'Testables', { name: 'text' }, maxCases)
  const bundles = new Map<number, { name: string | null; planRun: number | null }>()
  for (const [id, suiteRun] of suiteRuns) {
    let row: typeof suiteRun | undefined = suiteRun
    for (let depth = 0; row?.testableRun_fk === null && depth < maxDepth; depth++) {
      row = find(suiteRuns, row.parentSuiteRun_fk)
    }
    const run = find(runs, row?.testableRun_fk)
    const name = find(testables, run?.testable_fk)?.name ?? null
    bundles.set(id, { name, planRun: run?.testPlanRun_fk ?? null })
  }
  return bundles
}

function readParameters(database: DatabaseSync, maxCases: number): Map<number, string[]> {
  const values = indexById(
    database,
    'TestValues',
    { description: 'text', debugDescription: 'text' },
    maxCases * partsPerCase,
    true,
  )
  const columns = { testCaseRun_fk: 'number', testValue_fk: 'number', orderInTestCaseRun: 'number' } as const
  const parameters = new Map<number, string[]>()
  const rows = [...limited(select(database, 'Arguments', columns, true), maxCases * partsPerCase)]
  rows.sort((a, b) => Number(a.orderInTestCaseRun) - Number(b.orderInTestCaseRun))
  for (const row of rows) {
    const value = find(values, row.testValue_fk)
    // SQLite cuts a text at its first NUL, which Xcode escapes in the other description.
    push(parameters, row.testCaseRun_fk, value?.description || value?.debugDescription || '')
  }
  return parameters
}

function readIssues(database: DatabaseSync, maxCases: number): Map<number, CaseRun['issues']> {
  const contexts = indexById(database, 'SourceCodeContexts', { location_fk: 'number' }, maxCases * partsPerCase, true)
  const columns = { filePath: 'text', lineNumber: 'number' } as const
  const locations = indexById(database, 'SourceCodeLocations', columns, maxCases * partsPerCase, true)
  const issues = new Map<number, CaseRun['issues']>()
  const rows = select(
    database,
    'TestIssues',
    {
      testCaseRun_fk: 'number',
      issueType: 'text',
      detailedDescription: 'text',
      compactDescription: 'text',
      sourceCodeContext_fk: 'number',
    },
    true,
  )
  for (const row of limited(rows, maxCases * partsPerCase)) {
    const context = find(contexts, row.sourceCodeContext_fk)
    const location = find(locations, context?.location_fk)
    push(issues, row.testCaseRun_fk, {
      kind: row.issueType ?? 'issue',
      message: (row.detailedDescription || row.compactDescription) ?? '',
      file: location?.filePath ?? null,
      line: location?.lineNumber ?? null,
    })
  }
  return issues
}

/** Finds attachments by case run: those of its issues, and those of its activities, which may be nested. */
function readAttachments(database: DatabaseSync, maxCases: number): Map<number, CaseRun['attachments']> {
  const most = maxCases * partsPerCase
  const activities = indexById(database, 'Activities', { testCaseRun_fk: 'number', parent_fk: 'number' }, most, true)
  const issues = indexById(database, 'TestIssues', { testCaseRun_fk: 'number' }, most, true)
  const attachments = new Map<number, CaseRun['attachments']>()
  const rows = select(
    database,
    'Attachments',
    {
      name: 'text',
      filenameOverride: 'text',
      uniformTypeIdentifier: 'text',
      xcResultKitPayloadRefId: 'text',
      activity_fk: 'number',
      testIssue_fk: 'number',
    },
    true,
  )
  for (const row of limited(rows, most)) {
    let activity = find(activities, row.activity_fk)
    for (let depth = 0; activity?.testCaseRun_fk === null && depth < maxDepth; depth++) {
      activity = find(activities, activity.parent_fk)
    }
    const run = activity?.testCaseRun_fk ?? find(issues, row.testIssue_fk)?.testCaseRun_fk ?? null
    const reference = row.xcResultKitPayloadRefId
    if (reference === null) continue
    const name = row.filenameOverride || row.name || reference
    push(attachments, run, { name, reference, contentType: toContentType(row.uniformTypeIdentifier) })
  }
  return attachments
}

function toContentType(type: string | null): string | null {
  const types: Record<string, string> = {
    'public.plain-text': 'text/plain',
    'public.png': 'image/png',
    'public.jpeg': 'image/jpeg',
    'public.heic': 'image/heic',
    'public.mpeg-4': 'video/mp4',
    'public.json': 'application/json',
  }
  return type === null ? null : (types[type] ?? null)
}

/** Reads the rows of a table in the order of their rowid. */
function* select<const Of extends Columns>(
  database: DatabaseSync,
  table: string,
  columns: Of,
  mayBeMissing = false,
): Generator<Row<Of>, void> {
  const existing = listColumns(database, table)
  if (existing === null) {
    if (mayBeMissing) return
    throw new ReportsError('malformed', `The database has no table ${table}.`)
  }
  const wanted = Object.entries(columns).map(([name, type]) => {
    if (!existing.has(name)) return `NULL AS "${name}"`
    if (type === 'text')
      return `CASE typeof("${name}") WHEN 'text' THEN substr("${name}", 1, ${maxText}) END AS "${name}"`
    return `CASE WHEN typeof("${name}") IN ('integer', 'real') THEN CAST("${name}" AS REAL) END AS "${name}"`
  })
  const sql = `SELECT CAST(rowid AS REAL) AS id, ${wanted.join(', ')} FROM main."${table}" ORDER BY rowid`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the expressions above give these types or null
  for (const row of database.prepare(sql).iterate()) yield row as Row<Of>
}

/** Returns the columns of an ordinary table; null if it does not exist. Throws if it is a view or computes values. */
function listColumns(database: DatabaseSync, table: string): Set<string> | null {
  const entry = database
    .prepare('SELECT type, substr(sql, 1, 40) AS sql FROM main.sqlite_schema WHERE name = ?')
    .get(table)
  if (!entry) return null
  if (entry['type'] !== 'table' || !/^CREATE TABLE\b/i.test(String(entry['sql'])))
    throw new ReportsError('malformed', `In the database, ${table} is no table.`)
  const columns = database.prepare(`PRAGMA main.table_xinfo("${table}")`).all()
  if (columns.some((column) => column['hidden'] !== 0))
    throw new ReportsError('malformed', `In the database, ${table} has computed columns.`)
  return new Set(columns.map((column) => String(column['name'])))
}

function indexById<const Of extends Columns>(
  database: DatabaseSync,
  table: string,
  columns: Of,
  most: number,
  mayBeMissing = false,
): Map<number, Row<Of>> {
  const rows = limited(select(database, table, columns, mayBeMissing), most)
  return new Map([...rows].map((row) => [row.id, row]))
}

function* limited<Item>(rows: Iterable<Item>, most: number): Generator<Item, void> {
  let count = 0
  for (const row of rows) {
    if (++count > most) throw new ReportsError('too-large', 'A table of the database has too many rows.')
    yield row
  }
}

/** Finds what a foreign key refers to. */
function find<Item>(items: Map<number, Item>, key: number | null | undefined): Item | undefined {
  return key === null || key === undefined ? undefined : items.get(key)
}

function push<T>(lists: Map<number, T[]>, key: number | null, value: T): void {
  if (key === null) return
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
