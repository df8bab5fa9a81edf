/** Suggests an alias for a name: `My App (Beta)` becomes `my-app-beta`. */
export function toAlias(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '')
}
