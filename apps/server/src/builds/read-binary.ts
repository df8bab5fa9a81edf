import { type AppImage, type AppInfo, BinaryError, type IconImage } from '@fairlead/binary'
import { ApiError, type Platform } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { AppContext } from '../context.ts'
import { refuseWhenFull } from '../http/queue-full.ts'

export interface ReadBinary {
  app: AppInfo
  icon: IconImage | null
  /** The images that crash reports of this build need symbols for. */
  images: AppImage[]
}

/** Whose turn it is in the queue of the reader, and until when anybody waits for the result. */
export interface Turn {
  turnKey: string
  signal: AbortSignal
}

/**
 * Verifying a signature reads the file a second time, so larger files skip it rather than delay the answer by seconds.
 */
const verifyLimit = 256 * 2 ** 20

/**
 * Reads the metadata of a binary in a worker with memory and time limits.
 *
 * @throws {ApiError} unreadableBinary, wrongPlatform, tooManyRequests, overloaded, clientClosed
 */
export async function readBinary(
  { readers, log }: Pick<AppContext, 'readers' | 'log'>,
  { path, size }: Pick<StagedFile, 'path' | 'size'>,
  platform: Platform,
  turn: Turn,
): Promise<ReadBinary> {
  const app = await readers.apps
    .readApp(path, { ...turn, verify: size <= verifyLimit })
    .catch(refuseWhenFull)
    .catch((error: unknown) => {
      if (!(error instanceof BinaryError) || error.code === 'unreadable') throw error
      throw new ApiError('unreadableBinary', { detail: describe(error), cause: error })
    })
  if (toApplicationPlatform(app) !== platform) {
    throw new ApiError('wrongPlatform', {
      detail: `The file is for ${app.platform}, the application is for ${platform}`,
    })
  }
  const { icon } = app
  return {
    app,
    icon: icon && (await orElse(null, readers.apps.readIcon(path, icon, turn))),
    images: await orElse([], readers.apps.readImages(path, turn)),
  }

  /** An unreadable icon or image list is not a reason to refuse a build. */
  async function orElse<Value>(fallback: Value, reading: Promise<Value>): Promise<Value> {
    return reading.catch(refuseWhenFull).catch((error: unknown) => {
      if (!(error instanceof BinaryError)) throw error
      log.info({ err: error }, 'icon or images of a binary cannot be read')
      return fallback
    })
  }
}

/** Applications of the platform `ios` hold the binaries of every Apple platform. */
function toApplicationPlatform({ platform }: AppInfo): Platform {
  return platform === 'android' ? 'android' : 'ios'
}

/** An app bundle or a split APK is refused, but the message names the app it belongs to. */
function describe({ message, app }: BinaryError): string {
  if (app?.bundleIdentifier === undefined) return message
  return `${message} It is ${app.bundleIdentifier} ${app.shortVersion ?? ''} (${app.version ?? 'no version'}).`
}
