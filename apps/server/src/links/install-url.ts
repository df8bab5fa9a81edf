/** The link for testers. The secret stands in it, not the id, so that nobody can count through the builds. */
export function toInstallUrl(build: { secret: string }, baseUrl: string): string {
  return `${baseUrl}/install/${build.secret}`
}

export function toIconUrl(build: { secret: string }, baseUrl: string): string {
  return `${toInstallUrl(build, baseUrl)}/icon`
}
