/**
 * The name of a source without folders and ending, by which its functions are told from those of others, as methods are
 * by their class. Of `cart/index.ts` it is the folder's.
 */
export function toSourceName(file: string): string {
  const [name = '', folder] = file.split(/[/\\]/).toReversed()
  const plain = name.replace(/\.\w{1,10}$/, '')
  return plain === 'index' && folder !== undefined && /^[\w-]/.test(folder) ? folder : plain
}
