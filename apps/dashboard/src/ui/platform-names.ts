import type { Platform } from '@fairlead/contract'

export const platformNames: Record<Platform, string> = { android: 'Android', ios: 'iOS' }

/** The file name extensions of builds. */
export const fileExtensions: Record<Platform, string> = { android: '.apk', ios: '.ipa' }
