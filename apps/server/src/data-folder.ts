/** The folder of all files of a server, including those of the embedded database. */
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError } from './config.ts'

/**
 * Creates the data folder and keeps other users of the machine out of it. A front server that sends the files has to
 * read them, so the group gets access when one is configured, whatever the folder had before. A mounted volume may
 * belong to another user; then the process can only warn, and the umask still protects its files.
 *
 * @throws {ConfigError} when the folder cannot be created.
 */
export async function openDataFolder({ dataDir, delivery }: Config, log: Logger): Promise<void> {
  await createFolder(dataDir).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`FAIRLEAD_DATA_DIR: The folder ${dataDir} cannot be created (${reason})`])
  })
  const { mode } = await stat(dataDir)
  const wanted = (mode & 0o700) | (delivery.kind === 'frontServer' ? 0o050 : 0)
  if ((mode & 0o777) === wanted) return
  await chmod(dataDir, wanted).catch((error: unknown) => {
    const modes = { mode: (mode & 0o777).toString(8), wanted: wanted.toString(8) }
    log.warn({ err: error, ...modes }, 'the mode of the data folder cannot be changed')
  })
}

/**
 * Creates a folder and those above it. Node's own recursive `mkdir` never ends below a folder that exists and has no
 * place for new ones, such as `/proc`.
 */
async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  if (dirname(path) !== path) await createFolder(dirname(path))
  await mkdir(path).catch(async (error: unknown) => {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}
