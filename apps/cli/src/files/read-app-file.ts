import type { AppInfo } from '@fairlead/binary'
import { CliError } from '../cli-error.ts'

/**
 * Reads an app whose path was given as an argument, so that a fault names the file as it was given.
 *
 * @param path the whole path
 */
export async function readAppFile(given: string, path: string, options?: { verify?: boolean }): Promise<AppInfo> {
  // Commands that read no app start faster without this package.
  const { BinaryError, readApp } = await import('@fairlead/binary')
  try {
    return await readApp(path, options)
  } catch (error) {
    // A file that does not exist, or that nobody may read, is named by what the system says.
    if (!(error instanceof BinaryError) || (error.cause instanceof Error && 'syscall' in error.cause)) throw error
    throw new CliError('refused', `${given} cannot be read as an .apk or .ipa`, { cause: error })
  }
}
