import { type Role, roles } from '@fairlead/contract'

/** Returns the role that includes the rights of all others; undefined for none. */
export function highestRole(given: readonly Role[]): Role | undefined {
  return roles.findLast((role) => given.includes(role))
}
