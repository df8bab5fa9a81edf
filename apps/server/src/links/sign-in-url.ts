interface Base {
  baseUrl: string
}

/** The address that begins a sign-in. */
export function toStartUrl({ baseUrl }: Base, key: string): string {
  return `${baseUrl}/sign-in/oidc/${key}`
}

/** The address that the provider sends people back to. It comes from the settings and never from the Host header. */
export function toCallbackUrl(base: Base, key: string): string {
  return `${toStartUrl(base, key)}/callback`
}

/** The address that the provider sends people to after signing out. */
export function toAfterSignOutUrl({ baseUrl }: Base): string {
  return `${baseUrl}/sign-in`
}

/** The address that the provider tells of sessions that have ended. */
export function toBackChannelUrl(base: Base, key: string): string {
  return `${toStartUrl(base, key)}/backChannelLogout`
}
