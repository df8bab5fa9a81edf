/**
 * The app's permission statuses are read by seven reserved messages (`$auth.contacts` and so on), which every app side
 * answers. Values are Apple's own case names, or `unavailable` if the platform has no such permission.
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

/** The parameter of each kind of status; kinds that are not listed have no parameter. */
interface Subjects {
  media: MediaType
  eventKit: EntityType
  photoLibrary: PhotoAccessLevel
  /** HealthKit's identifier of a data type, such as `workout`. */
  healthKit: string
}

type Subject<K extends AuthorizationKind> = K extends keyof Subjects ? Subjects[K] : undefined

/** Functions by which an app answers, one per kind. */
export type AuthorizationResponders = {
  [K in AuthorizationKind]?: (subject: Subject<K>) => AuthorizationStatus<K> | Promise<AuthorizationStatus<K>>
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys are the kinds
export const authorizationKinds = Object.keys(statuses) as AuthorizationKind[]

export function nameAuthorizationMessage(kind: AuthorizationKind): string {
  return `$auth.${kind}`
}

/** Describes the statuses of one kind; any other answer is a `decoding` error. */
export function describeStatus<K extends AuthorizationKind>(
  kind: K,
): { decode(value: unknown): AuthorizationStatus<K> } {
  const known: readonly AuthorizationStatus<K>[] = statuses[kind]
  return {
    decode(value) {
      const status = known.find((one) => one === value)
      if (status === undefined) throw new Error(`'${String(value)}' is not a status of ${kind}: ${known.join(', ')}`)
      return status
    },
  }
}
