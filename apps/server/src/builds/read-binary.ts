import { type AppFile, type AppInfo, BinaryError } from '@fairlead/binary'
import { ApiError, type Platform } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { AppContext } from '../context.ts'
import { refuseWhenFull } from '../http/queue-full.ts'

/**
 * The caller's key in the reader's queue, which serves callers in turn, and a signal that aborts when nobody waits any
 * more.
 */
export interface Turn {
  turnKey: string
  signal: AbortSignal
}

/**
 * Verifying a signature reads the file a second time, so larger files skip it rather than delay the answer by seconds.
 */
const verifyLimit = 256 * 2 ** 20

/**
 * Reads the metadata of a binary in a worker with memory and time limits. Without a platform any is taken.
 *
 * @throws {ApiError} unreadableBinary, wrongPlatform, tooManyRequests, overloaded, clientClosed
 */
export async function readBinary(
  { readers, log }: Pick<AppContext, 'readers' | 'log'>,
  { path, size }: Pick<StagedFile, 'path' | 'size'>,
  platform: Platform | null,
  turn: Turn,
): Promise<AppFile> {
  const file = await readers.apps
    .readAppFile(path, { ...turn, verify: size <= verifyLimit })
    .catch(refuseWhenFull)
    .catch((error: unknown) => {
      if (!(error instanceof BinaryError) || error.code === 'unreadable') throw error
      throw new ApiError('unreadableBinary', { detail: describe(error), cause: error })
    })
  if (platform !== null && toApplicationPlatform(file.app) !== platform) {
    throw new ApiError('wrongPlatform', {
      detail: `The file is for ${file.app.platform}, the application is for ${platform}`,
    })
  }
  for (const error of file.errors) log.info({ err: error }, 'icon or images of a binary cannot be read')
  return file
}

/** Applications of the platform `ios` hold the binaries of every Apple platform. */
export function toApplicationPlatform({ platform }: Pick<AppInfo, 'platform'>): Platform {
  return platform === 'android' ? 'android' : 'ios'
}

/** An app bundle or a split APK is refused, but the message names the app it belongs to. */
function describe({ message, app }: BinaryError): string {
  if (app?.bundleIdentifier === undefined) return message
  return `${message} It is ${app.bundleIdentifier} ${app.shortVersion ?? ''} (${app.version ?? 'no version'}).`
}
