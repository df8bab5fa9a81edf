import type { AuthorizationResponders } from '../authorization.ts'

interface Permissions {
  query(descriptor: { name: string }): Promise<{ state: string }>
}

/** Answers permission statuses from the browser's Permissions API: https://www.w3.org/TR/permissions/ */
export function createPermissionResponders(permissions: Permissions | undefined): AuthorizationResponders {
  async function ask<S extends string>(
    name: string,
    granted: S,
  ): Promise<S | 'notDetermined' | 'denied' | 'unavailable'> {
    try {
      const state = (await permissions?.query({ name }))?.state
      if (state === 'granted') return granted
      if (state === 'prompt') return 'notDetermined'
      return state === 'denied' ? 'denied' : 'unavailable'
    } catch {
      // A browser rejects the name of a permission that it does not support.
      return 'unavailable'
    }
  }
  return {
    location: () => ask('geolocation', 'authorizedWhenInUse'),
    media: (type) => ask(type === 'video' ? 'camera' : 'microphone', 'authorized'),
    userNotificationSettings: () => ask('notifications', 'authorized'),
  }
}
