import type { Client, Tester } from '@fairlead/client'
import { CliError } from '../cli-error.ts'

/** Finds a tester by the e-mail address, in any case, among those of the workspace unless others are given. */
export async function requireTester(
  client: Client,
  email: string,
  signal: AbortSignal,
  testers?: Tester[],
): Promise<Tester> {
  const all = testers ?? (await client.testers.list({ signal }))
  const tester = all.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (!tester) throw new CliError('notFound', `No tester has the address ${email}`)
  return tester
}
