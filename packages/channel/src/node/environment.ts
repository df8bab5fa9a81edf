/**
 * The variable by which an app finds its test: `FAIRLEAD_XPC`, either `fd:3,4` (the descriptor to read and the one to
 * write) or `path:<64 hex digits>:<folder>` (the token to show in HELLO, and the folder of the FIFOs).
 */
export const variable = 'FAIRLEAD_XPC'

/** Size in bytes of the token by which an app proves that it belongs to a session. */
export const tokenSize = 32

export type Address =
  | { kind: 'descriptors'; read: number; write: number }
  | { kind: 'folder'; path: string; token: string }

export function writeAddress(address: Address): string {
  if (address.kind === 'descriptors') return `fd:${address.read},${address.write}`
  return `path:${address.token}:${address.path}`
}

/** Takes the address out of the environment, so that processes started by the app do not find it. */
export function takeAddress(env: NodeJS.ProcessEnv): Address | undefined {
  const text = env[variable]
  if (text === undefined) return undefined
  delete env[variable]
  const descriptors = /^fd:(\d{1,9}),(\d{1,9})$/.exec(text)
  if (descriptors) return { kind: 'descriptors', read: Number(descriptors[1]), write: Number(descriptors[2]) }
  const folder = /^path:([0-9a-f]{64}):(.+)$/s.exec(text)
  if (folder?.[1] && folder[2]) return { kind: 'folder', token: folder[1], path: folder[2] }
  throw new Error(`${variable} is not a valid address: ${text.slice(0, 20)}…`)
}
