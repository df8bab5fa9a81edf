/** Returns the address of a latest link. */
export function toLatestUrl(link: { secret: string }, baseUrl: string): string {
  return `${baseUrl}/latest/${link.secret}`
}
