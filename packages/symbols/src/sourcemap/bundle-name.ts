/**
 * The name that a bundle is known by: the last part of its path or address, without query and fragment, because one
 * bundle is `app:///main.jsbundle`, `~/main.jsbundle` and `https://host/main.jsbundle`. Null if nothing is left.
 */
export function toBundleName(path: string): string | null {
  const [place = ''] = path.split(/[?#]/, 1)
  const name = place.split(/[/\\]/).at(-1)?.trim().slice(0, maxNameLength)
  return name === undefined || name === '' || name === '.' || name === '..' ? null : name
}

const maxNameLength = 255
