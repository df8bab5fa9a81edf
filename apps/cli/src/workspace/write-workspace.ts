import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import { formatInstant } from '../output/units.ts'
import { writeFields } from '../output/write.ts'

export type Workspace = Awaited<ReturnType<Client['workspace']['get']>>

export function writeWorkspace(io: Io, workspace: Workspace): void {
  const { retentionDays } = workspace
  writeFields(io, [
    ['Workspace', `${workspace.id}, ${workspace.name}`],
    ['Install links', `end after ${workspace.linkLifetimeDays} days`],
    ['Builds', retentionDays === null ? 'are kept' : `are deleted after ${retentionDays} days`],
    ['Two-factor', workspace.isTwoFactorRequired ? 'is required' : 'is not required'],
    ['Created', formatInstant(workspace.createdDate)],
  ])
}
