/** The messages between an app reader and its processes. A process answers one request at a time, and each once. */
import type { AppIcon, AppInfo } from '../app-info.ts'
import type { BinaryErrorCode } from '../binary-error.ts'
import type { ReadAppOptions } from '../read-app-options.ts'
import type { AppImage } from '../images/read-images.ts'
import type { IconImage } from '../read-icon.ts'

export type ReaderRequest =
  | { verb: 'readApp'; path: string; options: ReadAppOptions }
  | { verb: 'readIcon'; path: string; icon: AppIcon }
  | { verb: 'readImages'; path: string }

export type ReaderAnswer =
  | { value: AppInfo | AppImage[] | IconImage | null }
  | { code: BinaryErrorCode; detail: string; app?: Partial<AppInfo> }
