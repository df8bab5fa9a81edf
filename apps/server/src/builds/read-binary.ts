import { type AppInfo, type AppReader, BinaryError, type IconImage } from '@fairlead/binary'
import { ApiError, type Platform } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { AppContext } from '../context.ts'

export interface ReadBinary {
  app: AppInfo
  icon: IconImage | null
}

/** Verifying reads the file once more: past this size the uploader would wait for seconds. */
const verifyLimit = 256 * 2 ** 20

/**
 * Reads what a binary says of itself, in a worker with limits of memory and time.
 *
 * @throws {ApiError} unreadableBinary, wrongPlatform
 */
export async function readBinary(
  { reader, log }: Pick<AppContext, 'reader' | 'log'>,
  { path, size }: Pick<StagedFile, 'path' | 'size'>,
  platform: Platform,
): Promise<ReadBinary> {
  const app = await reader.readApp(path, { verify: size <= verifyLimit }).catch((error: unknown) => {
    if (!(error instanceof BinaryError) || error.code === 'unreadable') throw error
    throw new ApiError('unreadableBinary', { detail: error.message, cause: error })
  })
  if (toApplicationPlatform(app) !== platform) {
    throw new ApiError('wrongPlatform', {
      detail: `The file is for ${app.platform}, the application is for ${platform}`,
    })
  }
  return { app, icon: await readIcon(reader, path, app, log) }
}

/** Every Apple device takes its apps from an application of the platform ios. */
function toApplicationPlatform({ platform }: AppInfo): Platform {
  return platform === 'android' ? 'android' : 'ios'
}

/** An icon that is broken is no reason to refuse a build. */
async function readIcon(
  reader: AppReader,
  path: string,
  { icon }: AppInfo,
  log: AppContext['log'],
): Promise<IconImage | null> {
  if (!icon) return null
  try {
    return await reader.readIcon(path, icon)
  } catch (error) {
    log.info({ err: error }, 'the icon of an upload cannot be shown')
    return null
  }
}
