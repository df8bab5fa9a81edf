/** Tells which rows belong to one workspace by following the references between tables. */
import type { Table } from './row-source.ts'

/** These tables belong to the whole server, or their rows end with the process that wrote them. */
const ofTheServer = new Set([
  'settings',
  'sessions',
  'password_resets',
  'pending_links',
  'login_requests',
  'used_tokens',
  'jobs',
])

/** Unfinished uploads are not moved, because their bytes have no row in `blobs`. Their clients start again. */
export const unmovedTables = new Set(['unfinished_uploads', 'upload_parts'])

/**
 * Returns one SQL condition per table that has rows of the workspace. A table belongs to the workspace if a reference
 * leads from it to `workspaces`. Rows that workspaces share, such as blobs and accounts, are included if a row of the
 * workspace refers to them, and so are the rows that belong to such an account alone, for example its recovery codes.
 */
export function toWorkspaceConditions(tables: readonly Table[], workspaceId: number): Map<string, string> {
  if (!Number.isSafeInteger(workspaceId)) throw new Error('The id of a workspace is a whole number.')
  const conditions = new Map<string, string>([['workspaces', `id = ${workspaceId}`]])
  for (const table of tables) {
    if (table.name === 'workspaces' || ofTheServer.has(table.name) || unmovedTables.has(table.name)) continue
    const direct = table.references.find((reference) => reference.table === 'workspaces')
    if (direct) {
      conditions.set(table.name, `"${direct.column}" = ${workspaceId}`)
      continue
    }
    const parent = table.references.find((reference) => conditions.has(reference.table))
    if (!parent) continue
    const { column, table: name, target } = parent
    conditions.set(table.name, `"${column}" in (select "${target}" from "${name}" where ${conditions.get(name)})`)
  }
  const shared = new Map(listShared(tables, conditions))
  for (const table of tables) {
    const parent = table.references.find((reference) => shared.has(reference.table))
    if (!parent || conditions.has(table.name) || ofTheServer.has(table.name)) continue
    const { column, table: name, target } = parent
    conditions.set(table.name, `"${column}" in (select "${target}" from "${name}" where ${shared.get(name)})`)
  }
  return new Map([...conditions, ...shared])
}

function listShared(tables: readonly Table[], conditions: ReadonlyMap<string, string>): [string, string][] {
  const referring = tables.flatMap((table) => table.references.map((reference) => ({ from: table.name, ...reference })))
  const shared = Map.groupBy(
    referring.filter(({ from, table }) => conditions.has(from) && !conditions.has(table)),
    ({ table }) => table,
  )
  return [...shared].map(([name, references]) => {
    const selects = references.map(
      ({ from, column }) => `select "${column}" from "${from}" where ${conditions.get(from)}`,
    )
    return [name, `"id" in (${selects.join(' union ')})`]
  })
}
