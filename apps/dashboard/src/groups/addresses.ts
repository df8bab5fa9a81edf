import { TesterEmail } from '@fairlead/contract'

export interface ParsedAddresses {
  /** As they will be sent: an address, or `Name <address>`; each address once. */
  good: { entry: string; email: string }[]
  /** Named more than once, or in the group already. */
  repeated: string[]
  bad: string[]
}

/**
 * Reads addresses out of text that was pasted from anywhere: separated by commas, semicolons or white space,
 * bare or as `Name <address>`.
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
