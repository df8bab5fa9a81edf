import type { Tester } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export interface TesterRecord extends Row<'testers'> {
  groups: { id: number; name: string }[]
}

export function toTester(record: TesterRecord): Tester {
  return {
    id: record.id,
    email: record.email,
    name: record.name,
    createdDate: toInstant(record.created_at),
    groups: record.groups,
  }
}
