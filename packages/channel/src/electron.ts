/** Permission statuses of an Electron app, as far as its main process knows them. */
import type { AuthorizationResponders } from './authorization.ts'

/** The part of Electron's `systemPreferences` that is used. */
export interface MediaAccess {
  /** Available on macOS and Windows: https://www.electronjs.org/docs/latest/api/system-preferences */
  getMediaAccessStatus?(mediaType: 'camera' | 'microphone'): string
}

const statuses: Record<string, 'notDetermined' | 'authorized' | 'denied' | 'restricted'> = {
  'not-determined': 'notDetermined',
  granted: 'authorized',
  denied: 'denied',
  restricted: 'restricted',
}

/**
 * Creates responders for `xpcService.answerAuthorization` in an Electron main process. Statuses that Electron does not
 * know stay `unavailable`.
 */
export function createElectronResponders(systemPreferences: MediaAccess): AuthorizationResponders {
  return {
    media(type) {
      const status = systemPreferences.getMediaAccessStatus?.(type === 'video' ? 'camera' : 'microphone')
      return (status === undefined ? undefined : statuses[status]) ?? 'unavailable'
    },
  }
}
