import { type AppInfo, BinaryError } from '@fairlead/binary'
import { ApiError, type Platform } from '@fairlead/contract'
import type { AppContext } from '../context.ts'

export interface ReadBinary {
  app: AppInfo
  icon: { bytes: Uint8Array; type: string } | null
}

/**
 * Reads what a binary says of itself, in a worker with limits of memory and time.
 *
 * @throws {ApiError} unreadableBinary, wrongPlatform
 */
export async function readBinary(
  { reader }: Pick<AppContext, 'reader'>,
  path: string,
  platform: Platform,
): Promise<ReadBinary> {
  const read = await reader.read(path).catch((error: unknown) => {
    if (!(error instanceof BinaryError)) throw error
    throw new ApiError('unreadableBinary', { detail: error.message, cause: error })
  })
  if (read.app.platform !== platform) {
    throw new ApiError('wrongPlatform', {
      detail: `The file is for ${read.app.platform}, the application is for ${platform}`,
    })
  }
  return read
}
export interface BinaryReader {
  read(path: string): Promise<ReadBinary>
}
