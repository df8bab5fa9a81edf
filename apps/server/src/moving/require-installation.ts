import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'

/**
 * Refuses a data folder without a database, which a command would otherwise create and then find empty. PostgreSQL is
 * asked for its tables when it is opened.
 *
 * @throws {ConfigError}
 */
export function requireInstallation({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== null || existsSync(join(dataDir, 'fairlead.db'))) return
  throw new ConfigError([
    `FAIRLEAD_DATA_DIR must be the folder of an installation: there is no fairlead.db in ${dataDir}`,
  ])
}
