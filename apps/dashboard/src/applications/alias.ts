/** An alias made from a name, as a suggestion: `My App (Beta)` is `my-app-beta`. */
export function toAlias(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '')
}
