/**
 * The app's permission statuses: seven reserved messages, `$auth.contacts` and so on, that every app side answers.
 * Values are Apple's own case names, and `unavailable` where a platform has no such thing.
 */
const common = ['notDetermined', 'restricted', 'denied', 'authorized', 'unavailable'] as const

const statuses = {
  contacts: [...common, 'limited'],
  location: ['notDetermined', 'restricted', 'denied', 'authorizedAlways', 'authorizedWhenInUse', 'unavailable'],
  media: common,
  eventKit: ['notDetermined', 'restricted', 'denied', 'fullAccess', 'writeOnly', 'unavailable'],
  userNotificationSettings: ['notDetermined', 'denied', 'authorized', 'provisional', 'ephemeral', 'unavailable'],
  photoLibrary: [...common, 'limited'],
  healthKit: ['notDetermined', 'sharingDenied', 'sharingAuthorized', 'unavailable'],
} as const

type Statuses = typeof statuses

export type AuthorizationKind = keyof Statuses
export type AuthorizationStatus<K extends AuthorizationKind> = Statuses[K][number]

export type MediaType = 'video' | 'audio'
export type EntityType = 'event' | 'reminder'
export type PhotoAccessLevel = 'readWrite' | 'addOnly'

/** What the status is asked for; the kinds that are missing here are asked for nothing. */
interface Subjects {
  media: MediaType
  eventKit: EntityType
  photoLibrary: PhotoAccessLevel
  /** HealthKit's own identifier of a data type, as `workout`. */
  healthKit: string
}

type Subject<K extends AuthorizationKind> = K extends keyof Subjects ? Subjects[K] : undefined

/** How an app answers: one function per kind. */
export type AuthorizationResponders = {
  [K in AuthorizationKind]?: (subject: Subject<K>) => AuthorizationStatus<K> | Promise<AuthorizationStatus<K>>
}

export const authorizationKinds = Object.keys(statuses) as AuthorizationKind[]

export function nameAuthorizationMessage(kind: AuthorizationKind): string {
  return `$auth.${kind}`
}

/** A descriptor of one kind's statuses: any other answer is a `decoding` error. */
export function describeStatus<K extends AuthorizationKind>(
  kind: K,
): { decode(value: unknown): AuthorizationStatus<K> } {
  const known: readonly unknown[] = statuses[kind]
  return {
    decode(value) {
      if (!known.includes(value)) throw new Error(`'${String(value)}' is no status of ${kind}: ${known.join(', ')}`)
      return value as AuthorizationStatus<K>
    },
  }
}
