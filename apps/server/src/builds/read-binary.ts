import { type AppImage, type AppInfo, BinaryError, type IconImage } from '@fairlead/binary'
import { ApiError, type Platform } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { AppContext } from '../context.ts'

export interface ReadBinary {
  app: AppInfo
  icon: IconImage | null
  /** What its crashes need symbols of. */
  images: AppImage[]
}

/** Verifying reads the file once more: past this size the uploader would wait for seconds. */
const verifyLimit = 256 * 2 ** 20

/**
 * Reads what a binary says of itself, in a worker with limits of memory and time.
 *
 * @throws {ApiError} unreadableBinary, wrongPlatform
 */
export async function readBinary(
  { readers, log }: Pick<AppContext, 'readers' | 'log'>,
  { path, size }: Pick<StagedFile, 'path' | 'size'>,
  platform: Platform,
): Promise<ReadBinary> {
  const app = await readers.apps.readApp(path, { verify: size <= verifyLimit }).catch((error: unknown) => {
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
    icon: icon && (await orElse(null, readers.apps.readIcon(path, icon))),
    images: await orElse([], readers.apps.readImages(path)),
  }

  /** What is only shown beside a build is no reason to refuse it. */
  async function orElse<Value>(fallback: Value, reading: Promise<Value>): Promise<Value> {
    return reading.catch((error: unknown) => {
      log.info({ err: error }, 'a part of an upload cannot be read')
      return fallback
    })
  }
}

/** Every Apple device takes its apps from an application of the platform ios. */
function toApplicationPlatform({ platform }: AppInfo): Platform {
  return platform === 'android' ? 'android' : 'ios'
}

/** An app bundle or a set of splits is refused, but says what it is of. */
function describe({ message, app }: BinaryError): string {
  if (app?.bundleIdentifier === undefined) return message
  return `${message} It is ${app.bundleIdentifier} ${app.shortVersion ?? ''} (${app.version ?? 'no version'}).`
}
