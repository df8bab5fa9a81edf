import { readOwnPackages } from './android/own-packages.ts'
import type { AppInfo } from './app-info.ts'
import { BinaryError } from './binary-error.ts'
import { type AppImage, readArchiveImages } from './images/read-images.ts'
import { openApp, readOpenApp } from './read-app.ts'
import type { ReadAppOptions } from './read-app-options.ts'
import { type IconImage, readArchiveIcon } from './read-icon.ts'

/** An app with the contents that a server keeps of it. */
export interface AppFile {
  app: AppInfo
  /** Null if the app has no icon, or none that can be read. */
  icon: IconImage | null
  /** The parts of the app whose crashes need symbols. Empty if they cannot be read. */
  images: AppImage[]
  /** The packages that hold the own code of an Android app, as far as its classes tell. */
  ownPackages: string[]
  /** Why the icon or the images could not be read. */
  errors: BinaryError[]
}

/**
 * Does the work of `readApp`, `readIcon` and `readImages` and opens the file once. An icon or images that cannot be
 * read are no reason to fail. Rejects with BinaryError.
 */
export async function readAppFile(file: string | Uint8Array, options: ReadAppOptions = {}): Promise<AppFile> {
  using open = openApp(file)
  const app = await readOpenApp(open, options)
  const errors: BinaryError[] = []
  const orElse = async <Part>(fallback: Part, read: () => Part | Promise<Part>): Promise<Part> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
      errors.push(error)
      return fallback
    }
  }
  const icon = await orElse(null, () => app.icon && readArchiveIcon(open.archive, app.icon))
  const images = await orElse([], () => readArchiveImages(open.archive))
  const ownPackages = readOwnPackages(open.archive)
  return { app, icon, images, ownPackages, errors }
}
