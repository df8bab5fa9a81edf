import type { Client } from '@fairlead/client'
import type { RemoteFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { openSession } from '../settings/session.ts'
import { writeCrashGroup } from './write-crash-group.ts'
import { writeResult } from '../output/write.ts'

type Update = Parameters<Client['crashes']['updateGroup']>[1]

/** Changes the status of a crash group and shows the new status. */
export async function updateCrashGroup(io: Io, flags: RemoteFlags, id: number, update: Update): Promise<void> {
  const { client } = await openSession(io, flags)
  const group = await client.crashes.updateGroup(id, update)
  writeResult(io, flags.json, group, () => writeCrashGroup(io, group))
}
