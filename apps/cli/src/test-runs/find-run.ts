import type { Client } from '@fairlead/client'
import { readCiTestRun } from '../ci/test-run.ts'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { requireApplication } from '../lookups/application.ts'

export interface RunFlags {
  readonly app?: string
  readonly runKey?: string
}

/** The run with this id, or else the run of the application with the key of the flags or of this CI job. */
export async function requireRunId(io: Io, client: Client, flags: RunFlags, id: number | undefined): Promise<number> {
  if (id !== undefined) return id
  const key = flags.runKey ?? readCiTestRun(io.env).key
  if (flags.app === undefined || key === undefined) {
    throw new CliError('usage', 'Which run is meant?', {
      fix: 'Give the id of a run, or --app ALIAS and --run-key KEY.',
    })
  }
  const application = await requireApplication(io, client, flags.app)
  const { items } = await client.tests.listRuns(application.id, { key, limit: 1 })
  const [run] = items
  if (run) return run.id
  throw new CliError('notFound', `No run of ${flags.app} has the key ${key}`)
}
