/**
 * The load commands behind the header of a little-endian Mach-O file, one after another:
 *   0 kind · 4 size of the command, these eight bytes included · 8 what its kind defines
 * LC_UUID (1b) holds the 16 bytes of the UUID at 8.
 */
const uuidKind = 0x1b
const uuidEnd = 24

export interface LoadCommand {
  kind: number
  /** The whole command, its kind and size included. */
  bytes: Buffer
}

/** Gives up to `count` commands. It stops early at a command that is cut off or shorter than its own head. */
export function* listLoadCommands(commands: Buffer, count: number): Generator<LoadCommand, void> {
  let at = 0
  for (let index = 0; index < count && at + 8 <= commands.length; index++) {
    const size = commands.readUInt32LE(at + 4)
    if (size < 8 || at + size > commands.length) return
    yield { kind: commands.readUInt32LE(at), bytes: commands.subarray(at, at + size) }
    at += size
  }
}

/**
 * The UUID in upper case with dashes, as `dwarfdump --uuid` prints it; undefined if the command is not a whole LC_UUID.
 */
export function toUuid({ kind, bytes }: LoadCommand): string | undefined {
  if (kind !== uuidKind || bytes.length < uuidEnd) return undefined
  const hex = bytes.toString('hex', 8, uuidEnd).toUpperCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
