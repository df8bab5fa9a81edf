import { CliError } from '../cli-error.ts'

/**
 * Reads testers as the server takes them, each an address or "Name <address>": from one a line, or from CSV whose first
 * line names a column `email` and perhaps `name`, separated by commas, semicolons or tabs.
 */
export async function parseTesters(text: string): Promise<string[]> {
  const content = text.replace(/^\uFEFF/, '')
  const [head = ''] = content.trimStart().split('\n', 1)
  if (!isTitled(head)) {
    return content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  }
  const { parse } = await import('csv-parse/sync')
  try {
    const rows: Record<string, string>[] = parse(content, {
      columns: (names: string[]) => names.map(toColumn),
      delimiter: [',', ';', '\t'],
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
    })
    return rows.flatMap(({ email = '', name = '' }) => toTester(email, name))
  } catch (cause) {
    throw new CliError('refused', 'The list of testers is not CSV', { cause })
  }
}

function isTitled(head: string): boolean {
  return (
    !head.includes('@') && head.split(/[,;\t]/).some((name) => toColumn(name.trim().replaceAll('"', '')) === 'email')
  )
}

/** Exports of other services name the column of addresses in several ways. */
function toColumn(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (['email', 'mail', 'emailaddress', 'testeremail'].includes(plain)) return 'email'
  return plain === 'displayname' || plain === 'fullname' || plain === 'testername' ? 'name' : plain
}

function toTester(email: string, name: string): string[] {
  if (email === '') return []
  const shown = name.replaceAll(/[<>\s]+/g, ' ').trim()
  return [shown === '' ? email : `${shown} <${email}>`]
}
