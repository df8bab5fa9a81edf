import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError } from '../cli-error.ts'

/**
 * Creates a folder that only this user can read, and the folders above it.
 *
 * The recursive `mkdir` of Node never ends where the system says ENOENT although the folder above exists, as it does
 * in `/proc`. That is why each folder is created by a call of its own.
 *
 * @param variable The environment variable that names another folder; the error for the user tells it.
 * @throws CliError if the folder cannot be created.
 */
export async function createFolder(path: string, variable: string): Promise<void> {
  try {
    await createWithParents(path)
  } catch (cause) {
    const fix = `Set ${variable} to a folder that you can write to.`
    throw new CliError('failed', `The folder ${path} cannot be created`, { cause, fix })
  }
}

async function createWithParents(path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = path; !(await isFolder(folder)); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      // Another process may have created it in the meantime.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** @throws If there is something else than a folder at the path. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && dirname(path) !== path) return undefined
    throw error
  })
  if (found && !found.isDirectory()) throw new Error(`${path} is not a folder`)
  return found !== undefined
}
