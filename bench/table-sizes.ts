import { requireAt } from '@fairlead/invariant'
import type { FilledDatabase } from './filled-database.ts'
import { printTable } from './measure.ts'

/** Things that an operator counts, each with the tables of its rows; the first table has one row for each thing. */
const kinds: Record<string, string[]> = {
  builds: ['builds', 'build_search', 'blobs', 'build_groups', 'build_images'],
  installs: ['installs'],
  'testers told of a build': ['build_notifications'],
  mails: ['mails', 'mail_notes'],
  'audit events': ['audit_events'],
  crashes: ['crashes'],
  'kept crash reports': ['crash_reports'],
  'crash stacks': ['crash_stacks', 'crash_group_keys', 'crash_waits', 'crash_days', 'crash_values', 'crash_sketches'],
  'test results': ['test_results'],
  'failed tests': ['test_failures'],
}

/** Prints how many bytes on the disk a thousand rows of each kind take, with their indexes. */
export async function printTableSizes(database: FilledDatabase): Promise<void> {
  const rows: (string | number)[][] = []
  for (const [kind, tables] of Object.entries(kinds)) {
    let bytes = 0
    for (const table of tables) bytes += await readSize(database, table)
    const counts = await database.run<{ count: number | string }>(`select count(*) as count from ${tables[0]}`)
    rows.push([`1,000 ${kind}`, `${Math.round(bytes / Number(requireAt(counts, 0).count))} kB`])
  }
  printTable(['rows', database.engine], rows)
}

async function readSize({ engine, run }: FilledDatabase, table: string): Promise<number> {
  const statement =
    engine === 'postgres'
      ? `select pg_total_relation_size('${table}') as bytes`
      : `select sum(pgsize) as bytes from dbstat
         where name in (select name from sqlite_schema where tbl_name = '${table}')`
  const sizes = await run<{ bytes: number | string }>(statement)
  return Number(requireAt(sizes, 0).bytes)
}
