import { TesterEmail } from '@fairlead/contract'

export interface ParsedAddresses {
  /** Valid addresses, each once, as they will be sent: an address, or `Name <address>`. */
  good: { entry: string; email: string }[]
  /** Addresses that occur more than once, or are in the group already. */
  repeated: string[]
  bad: string[]
}

/**
 * Parses pasted addresses, separated by commas, semicolons or white space, each bare or as `Name <address>`.
 *
 * @param known addresses that need not be added
 */
export function parseAddresses(text: string, known: string[] = []): ParsedAddresses {
  const seen = new Set(known.map(toKey))
  const parsed: ParsedAddresses = { good: [], repeated: [], bad: [] }
  for (const { name, address } of splitEntries(text)) {
    const { success, data: email } = TesterEmail.safeParse(address)
    if (!success) {
      parsed.bad.push(address)
      continue
    }
    const key = toKey(email)
    if (seen.has(key)) parsed.repeated.push(email)
    else parsed.good.push({ entry: name === '' ? email : `${name} <${email}>`, email })
    seen.add(key)
  }
  return parsed
}

function toKey(email: string): string {
  return email.toLowerCase()
}

function* splitEntries(text: string): Generator<{ name: string; address: string }> {
  for (const part of text.split(/[,;\n\r]+/)) {
    const [, name, address] = /^([^<>]*)<([^<>]*)>\s*$/.exec(part) ?? []
    if (address !== undefined) {
      yield { name: (name ?? '').replaceAll('"', '').trim(), address: address.trim() }
      continue
    }
    for (const word of part.split(/\s+/)) {
      const bare = word.replace(/^<|>$/g, '')
      if (bare !== '') yield { name: '', address: bare }
    }
  }
}
