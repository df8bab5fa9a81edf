/** Runs statements again, each with its plan and in a transaction that is rolled back, and prints the dear ones. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Client } from 'pg'
import type { SeenStatement } from './seen-statements.ts'

/** A statement that reads more rows than this, or takes longer, is printed. */
const rowLimit = 5000
const timeLimitMs = 20
const rounds = 3

interface Finding {
  ms: number
  rows: number | undefined
  plan: string[]
}

function report(text: string, { caller }: SeenStatement, { ms, rows, plan }: Finding): void {
  const read = rows === undefined ? '' : `, ${rows} rows`
  console.log(`${ms.toFixed(1)} ms${read}: ${caller}\n  ${text}\n${plan.map((line) => `    ${line}`).join('\n')}\n`)
}

export function explainSqlite(path: string, seen: [string, SeenStatement][]): void {
  using database = new DatabaseSync(path)
  database.exec('pragma foreign_keys = on; pragma cache_size = -100000')
  for (const [text, one] of seen) {
    const plan = database.prepare(`explain query plan ${text}`).all()
    const details = plan.map(({ detail }) => String(detail))
    const hasScan = details.some((detail) => isScan(database, text, detail))
    const statement = database.prepare(text)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      database.exec('begin')
      const before = process.cpuUsage()
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server passed them
        statement.all(...(one.values as SQLInputValue[]))
      } catch {
        // The row is already there.
      }
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
      database.exec('rollback')
    }
    const ms = Math.min(...times)
    if (hasScan || ms > timeLimitMs) report(text, one, { ms, rows: undefined, plan: details })
  }
}

/** Tells whether a line of a plan reads a whole large table. The line may name the table by its alias. */
function isScan(database: DatabaseSync, text: string, detail: string): boolean {
  const name = /^SCAN (\w+)/.exec(detail)?.[1]
  if (name === undefined || name === 'CONSTANT') return false
  const table = new RegExp(`"(\\w+)" as "${name}"`, 'i').exec(text)?.[1] ?? name
  const exists = database.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table)
  if (!exists) return false
  const found = database.prepare(`select count(*) as count from (select 1 from "${table}" limit ${rowLimit})`).get()
  return Number(found?.['count']) >= rowLimit
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

export async function explainPostgres(url: string, seen: [string, SeenStatement][]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  for (const [text, one] of seen) {
    let best: Finding | undefined
    for (let round = 0; round < rounds; round++) {
      await client.query('begin')
      const explained = await client
        .query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
          `explain (analyze, buffers, format json) ${text}`,
          one.values,
        )
        // The row is already there.
        .catch(() => undefined)
      await client.query('rollback')
      const [top] = explained?.rows[0]?.['QUERY PLAN'] ?? []
      if (!top || (best && best.ms <= top['Execution Time'])) continue
      best = {
        ms: top['Execution Time'],
        rows: Math.max(...eachNode(top.Plan).map(countRead)),
        plan: toLines(top.Plan),
      }
    }
    if (best && (best.ms > timeLimitMs || (best.rows ?? 0) > rowLimit)) report(text, one, best)
  }
  await client.end()
}

function eachNode(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(eachNode)]
}

function countRead(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

function toLines(node: PlanNode, depth = 0): string[] {
  const blocks = node['Shared Hit Blocks'] + node['Shared Read Blocks']
  const name = [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' ')
  const line = `${'  '.repeat(depth)}${name}: ${countRead(node)} rows, ${blocks} blocks`
  return [line, ...(node.Plans ?? []).flatMap((plan) => toLines(plan, depth + 1))]
}
