import { readFileSync } from 'node:fs'

export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  // The manifest of this package always has a version.
  return (JSON.parse(text) as { version: string }).version
}
