import type { Role } from '@fairlead/contract'

export const roleNames: Record<Role, string> = { viewer: 'Viewer', developer: 'Developer', admin: 'Administrator' }
