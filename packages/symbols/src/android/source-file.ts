/** The name of the source file of a class, where the mapping does not say, as R8 infers it. */

/**
 * Infers the file of `className` from its outermost class. `obfuscated` is the file in the trace; only its extension
 * is of use.
 */
export function inferSourceFile(className: string, obfuscated: string): string {
  if (obfuscated === 'Native Method') return obfuscated
  const extension = extensionOf(obfuscated)
  const name = outermostName(className)
  if (name.endsWith('Kt') && (extension === '' || extension === 'kt')) return `${name.slice(0, -2)}.kt`
  return `${name}.${extension === 'kt' ? 'kt' : 'java'}`
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1)
}

/** `com.example.Foo$Bar` → `Foo` */
function outermostName(className: string): string {
  const start = className.lastIndexOf('.') + 1
  const dollar = className.indexOf('$', Math.max(start - 1, 0))
  return className.slice(start, dollar === -1 ? undefined : dollar)
}
