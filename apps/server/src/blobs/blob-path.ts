import { randomBytes } from 'node:crypto'

/** The path of a blob below the root of its store. Folders of two hexadecimal digits keep each folder small. */
export function toBlobPath(key: string): string {
  return `${key.slice(0, 2)}/${key}`
}

/** A key for bytes of an unfinished upload, whose digest nobody knows yet. */
export function createPartKey(): string {
  return `${randomBytes(32).toString('hex')}-part`
}
