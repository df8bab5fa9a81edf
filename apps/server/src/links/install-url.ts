/** Returns the install link. It contains a secret instead of the id, so that builds cannot be enumerated. */
export function toInstallUrl(build: { secret: string }, baseUrl: string): string {
  return `${baseUrl}/install/${build.secret}`
}

export function toIconUrl(build: { secret: string }, baseUrl: string): string {
  return `${toInstallUrl(build, baseUrl)}/icon`
}
