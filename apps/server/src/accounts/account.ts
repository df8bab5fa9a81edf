import type { Account } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'

export type AccountRow = Row<'accounts'>

/** E-mail addresses are compared case-insensitively, so lookups use this normalized key. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase()
}

export function toAccount({ id, email, name }: Pick<AccountRow, 'id' | 'email' | 'name'>): Account {
  return { id, email, name }
}
