import { ApiError, type DistributionGroup } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { findGroup } from './store.ts'

export interface GroupRecord extends Row<'distribution_groups'> {
  tester_count: number
  build_count: number
}

/** @throws {ApiError} distributionGroupNotFound */
export async function requireGroup(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<GroupRecord> {
  const group = await findGroup(db, workspaceId, id)
  if (!group) throw new ApiError('distributionGroupNotFound')
  return group
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
