import { TesterEmail } from '@fairlead/contract'

export interface ParsedAddresses {
  /** Entries to send, each an address or `Name <address>`, without duplicates. */
  good: { entry: string; email: string }[]
  /** Addresses that are named more than once, or are in the group already. */
  repeated: string[]
  bad: string[]
}

/**
 * Parses pasted addresses, separated by commas, semicolons or white space. Each is an address or `Name <address>`.
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
  // A comma between quotes belongs to a name, as in `"Lovelace, Ada" <ada@example.com>` from Outlook.
  for (const part of text.match(/(?:"[^"\n\r]*"|[^,;\n\r])+/g) ?? []) {
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
