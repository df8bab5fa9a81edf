/** Permission statuses of an Electron app, from what its main process knows. */
import type { AuthorizationResponders } from './authorization.ts'

/** The part of Electron's `systemPreferences` that is asked. */
export interface MediaAccess {
  /** https://www.electronjs.org/docs/latest/api/system-preferences: macOS and Windows have it. */
  getMediaAccessStatus?(mediaType: 'camera' | 'microphone'): string
}

const statuses: Record<string, 'notDetermined' | 'authorized' | 'denied' | 'restricted'> = {
  'not-determined': 'notDetermined',
  granted: 'authorized',
  denied: 'denied',
  restricted: 'restricted',
}

/** For `xpcService.answerAuthorization` in an Electron main process; what Electron cannot tell stays `unavailable`. */
export function createElectronResponders(systemPreferences: MediaAccess): AuthorizationResponders {
  return {
    media(type) {
      const status = systemPreferences.getMediaAccessStatus?.(type === 'video' ? 'camera' : 'microphone')
      return (status === undefined ? undefined : statuses[status]) ?? 'unavailable'
    },
  }
}
