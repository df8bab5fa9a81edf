import type { DistributionGroup } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export interface GroupRecord extends Row<'distribution_groups'> {
  tester_count: number
  build_count: number
}

export function toDistributionGroup(record: GroupRecord): DistributionGroup {
  return {
    id: record.id,
    name: record.name,
    createdDate: toInstant(record.created_at),
    testerCount: record.tester_count,
    buildCount: record.build_count,
  }
}
