import type { Workspace } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export const day = 24 * 60 * 60 * 1000

export function toWorkspace(row: Row<'workspaces'>): Workspace {
  return {
    id: row.id,
    name: row.name,
    linkLifetimeDays: Math.round(row.link_lifetime_ms / day),
    retentionDays: row.retention_ms === null ? null : Math.round(row.retention_ms / day),
    isTwoFactorRequired: row.requires_two_factor === 1,
    requiredProvider: row.required_provider,
    agentWrites: row.agent_writes === 1,
    feedback: row.feedback,
    createdDate: toInstant(row.created_at),
  }
}
