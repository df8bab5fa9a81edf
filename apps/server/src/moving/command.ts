/** The commands of `fairlead-server` that move or check what it stores: export, import, verify, check and backup. */
import { parseArgs } from 'node:util'
import { type Config, ConfigError } from '../config.ts'
import { requireInstallation } from './require-installation.ts'
import { openContext } from '../open-context.ts'
import { verifyArchive } from './archive.ts'
import { backupDataFolder } from './backup.ts'
import { checkStorage } from './check.ts'
import { exportArchive } from './export.ts'
import { importArchive } from './import.ts'
import { openBlobStore } from './open-blob-store.ts'
import { createProgress } from './progress.ts'
import { openRowSource } from './row-source.ts'
import { decryptRows } from './secret-rows.ts'

/** Takes the lines of the result, and those of everything else. */
export interface Output {
  write(line: string): void
  error(line: string): void
}

const day = 24 * 60 * 60 * 1000

/** Runs a command and returns its exit code: 2 if its words are wrong, for which the caller shows the usage. */
export async function runCommand(args: readonly string[], config: Config, output: Output): Promise<number> {
  const options = { workspace: { type: 'string' }, bytes: { type: 'boolean' }, repair: { type: 'boolean' } } as const
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    output.error(error instanceof Error ? error.message : String(error))
    return 2
  }
  const [command = '', path = '', ...rest] = parsed.positionals
  const needsPath = command !== 'check'
  const isKnown = ['export', 'import', 'verify', 'check', 'backup'].includes(command)
  const workspaceId = parsed.values.workspace === undefined ? null : Number(parsed.values.workspace)
  const isWrong = !isKnown || rest.length > 0 || needsPath !== (path !== '')
  if (isWrong || (workspaceId !== null && !(Number.isSafeInteger(workspaceId) && workspaceId > 0))) return 2
  if (['export', 'check', 'backup'].includes(command)) requireInstallation(config)
  const progress = createProgress((line) => output.error(line))
  if (command === 'export') return runExport(config, { path, workspaceId, progress }, output)
  if (command === 'backup') {
    if (config.databaseUrl !== null || config.storage !== null) {
      throw new ConfigError([
        'backup is for the embedded default; use export, or the backups of PostgreSQL and the store',
      ])
    }
    const report = await backupDataFolder(config.dataDir, path, progress)
    output.write(`${report.blobCount} blobs and the database are in ${path}`)
    return tellMissing(report.missing, output)
  }
  if (command === 'verify') {
    const manifest = await verifyArchive(path)
    const rows = manifest.tables.reduce((sum, { count }) => sum + count, 0)
    output.write(`${path} is whole: ${rows} rows of ${manifest.tables.length} tables, version ${manifest.version}`)
    return 0
  }
  await using context = await openContext(config)
  await using schema = await openRowSource(config)
  if (command === 'import') {
    const report = await importArchive(context, schema, { path, progress })
    const ids = report.hasNewIds ? '; the rows have new ids' : ''
    output.write(`${report.rowCount} rows and ${report.blobCount} blobs were imported${ids}`)
    return 0
  }
  const { bytes = false, repair = false } = parsed.values
  // Replicas may be about to commit blobs that they have just stored, so recent blobs are no orphans.
  const before = config.databaseUrl === null ? Date.now() : Date.now() - day
  const report = await checkStorage(context, schema, { bytes, repair, before, progress })
  const { blobCount, orphans, missing, damaged, wrongCounts } = report
  const counts = [`${orphans.length} orphans`, `${missing.length} missing`, `${damaged.length} damaged`]
  output.write(`${blobCount} blobs: ${counts.join(', ')}, ${wrongCounts.length} wrong counts`)
  for (const key of orphans) output.write(`orphan ${key}${repair ? ', removed' : ''}`)
  for (const key of damaged) output.write(`damaged ${key}`)
  for (const { key, stored, actual } of wrongCounts) {
    output.write(`count ${key}: ${stored} instead of ${actual}${repair ? ', corrected' : ''}`)
  }
  for (const id of report.lostUploads) output.write(`upload ${id} has lost bytes${repair ? ', removed' : ''}`)
  const isRepaired = repair && damaged.length === 0
  const faults = [orphans, damaged, wrongCounts, report.lostUploads]
  const isWell = faults.every(({ length }) => length === 0)
  return Math.max(tellMissing(missing, output), isWell || isRepaired ? 0 : 3)
}

async function runExport(config: Config, options: Parameters<typeof exportArchive>[1], output: Output) {
  await using rows = decryptRows(config, await openRowSource(config))
  await using blobs = await openBlobStore(config)
  const report = await exportArchive({ rows, blobs }, options)
  output.write(`${report.blobCount - report.missing.length} blobs and ${report.rowCount} tables are in ${options.path}`)
  return tellMissing(report.missing, output)
}

function tellMissing(missing: string[], output: Output): number {
  for (const key of missing) output.write(`missing ${key}`)
  return missing.length === 0 ? 0 : 3
}
