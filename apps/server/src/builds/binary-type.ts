import type { Platform } from '@fairlead/contract'

/** The content type that makes a phone offer to install the file. */
export const binaryType: Record<Platform, string> = {
  android: 'application/vnd.android.package-archive',
  ios: 'application/octet-stream',
}
