import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { listSome } from './application.ts'

export type Member = Awaited<ReturnType<Client['members']['list']>>[number]

/** Finds the member with this e-mail address. Throws `notFound` with the existing ones. */
export async function requireMember(io: Io, client: Client, email: string): Promise<Member> {
  const members = await client.members.list({ signal: io.signal })
  const member = members.find((one) => one.email.toLowerCase() === email.trim().toLowerCase())
  if (member) return member
  throw new CliError('notFound', `No member has the address ${email}`, {
    fix: members.length === 0 ? undefined : `The workspace has: ${listSome(members.map((one) => one.email))}.`,
  })
}
