/** The path of a blob below the root of its store. Folders of two hexadecimal digits keep each folder small. */
export function toBlobPath(key: string): string {
  return `${key.slice(0, 2)}/${key}`
}
