import type { Platform } from '@fairlead/contract'

/** The content type under which a phone takes a binary for what it is. */
export const binaryType: Record<Platform, string> = {
  android: 'application/vnd.android.package-archive',
  ios: 'application/octet-stream',
}
