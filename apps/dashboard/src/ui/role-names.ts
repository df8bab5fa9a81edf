import type { Role } from '@fairlead/contract'

export const roleNames: Record<Role, string> = { viewer: 'Viewer', developer: 'Developer', admin: 'Administrator' }

/** All roles; each may do what those before it may. */
export const roles = ['viewer', 'developer', 'admin'] as const satisfies Role[]
