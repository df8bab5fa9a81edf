/** Where a blob lies below the root of its store: two hexadecimal digits of folders, so that no folder grows too large. */
export function toBlobPath(key: string): string {
  return `${key.slice(0, 2)}/${key}`
}
