import { readFileSync } from 'node:fs'

export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  // It is the manifest of this program, which npm does not install without a version.
  const { version }: { version: string } = JSON.parse(text)
  return version
}
