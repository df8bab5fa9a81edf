import type { Platform } from '@fairlead/contract'

export const platformNames: Record<Platform, string> = { android: 'Android', ios: 'iOS' }

/** What an application's file is called. */
export const fileExtensions: Record<Platform, string> = { android: '.apk', ios: '.ipa' }
