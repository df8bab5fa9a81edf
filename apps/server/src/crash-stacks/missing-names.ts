import type { Row } from '../db/schema.ts'
import { unknownImage } from './symbol-ref.ts'

/**
 * The UUID or the name of an image, the id of a mapping, the package and version that a mapping is missing for, or the
 * name of a bundle.
 */
export function toMissingNames({ kind, ref }: Pick<Row<'crash_waits'>, 'kind' | 'ref'>): string[] {
  if (kind === 'sourcemap' && ref.startsWith('v:')) return [ref.slice(ref.lastIndexOf('\n') + 1)]
  if (kind !== 'proguard') return [ref.startsWith(unknownImage) ? ref.slice(unknownImage.length) : ref]
  if (ref.startsWith('id:')) return [ref.slice('id:'.length)]
  const [packageName, shortVersion, version] = ref.slice('v:'.length).split('\n')
  const named = [packageName, shortVersion, version === undefined ? undefined : `(${version})`]
  const text = named.filter((part) => part !== undefined && part !== '').join(' ')
  return [text === '' ? 'a release without a name' : text]
}
