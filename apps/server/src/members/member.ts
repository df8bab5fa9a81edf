import type { Member, Role } from '@fairlead/contract'
import { toInstant } from '../http/instant.ts'

export interface MemberRecord {
  account_id: number
  email: string
  name: string
  role: Role
  /** Null for a member by groups only. */
  hand_role: Role | null
  verified_at: number | null
  disabled_at: number | null
  created_at: number
}

export function toMember(record: MemberRecord): Member {
  return {
    accountId: record.account_id,
    email: record.email,
    name: record.name,
    role: record.role,
    roleSource: record.hand_role === record.role ? 'hand' : 'group',
    createdDate: toInstant(record.created_at),
    isVerified: record.verified_at !== null,
  }
}
