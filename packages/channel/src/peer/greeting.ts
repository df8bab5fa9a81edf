import { protocolVersion } from '../wire/frame.ts'

/** Fields that a side announces in its HELLO besides the version. */
export type Greeting = Record<string, unknown>

/** Reads the text of a HELLO: the fields of a side that speaks this version, or what is wrong with them. */
export function readGreeting(
  text: string,
): { greeting: Greeting; fault?: never } | { greeting?: never; fault: string } {
  let greeting: unknown
  try {
    greeting = JSON.parse(text)
  } catch {
    return { fault: 'a HELLO that is not JSON' }
  }
  if (typeof greeting !== 'object' || greeting === null) return { fault: 'a HELLO that is not an object' }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is checked where it is used
  const fields = greeting as Greeting
  const { version } = fields
  if (version === protocolVersion) return { greeting: fields }
  return { fault: `it speaks version ${String(version)}, this side version ${protocolVersion}` }
}
