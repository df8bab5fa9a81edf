import type { RemoteFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireApplication } from '../lookups/application.ts'
import { toShownLine } from '../output/shown-text.ts'
import { writeLine, writeResult } from '../output/write.ts'
import { openSession } from '../settings/session.ts'

export interface CrashKeyFlags extends RemoteFlags {
  readonly app: string
}

/** Enables or disables a crash key of an application. */
export async function switchCrashKey(io: Io, flags: CrashKeyFlags, id: number, isEnabled: boolean): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const key = await client.crashes.updateKey(application.id, id, { isEnabled })
  const done = isEnabled ? 'Enabled' : 'Disabled'
  writeResult(io, flags.json, key, () => writeLine(io, toShownLine(`${done} the key ${key.name}`)))
}
