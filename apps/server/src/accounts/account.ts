import type { Account } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'

export type AccountRow = Row<'accounts'>

export function toAccount({ id, email, name }: Pick<AccountRow, 'id' | 'email' | 'name'>): Account {
  return { id, email, name }
}
