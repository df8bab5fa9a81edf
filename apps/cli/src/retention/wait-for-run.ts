import { setTimeout } from 'node:timers/promises'
import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'

type Run = Awaited<ReturnType<Client['retention']['getRun']>>

const pauseMs = 500

/** Waits until a run has ended. */
export async function waitForRun(io: Io, client: Client, started: Run): Promise<Run> {
  let run = started
  while (run.state === 'running') {
    await setTimeout(pauseMs, undefined, { signal: io.signal })
    run = await client.retention.getRun(run.id, { signal: io.signal })
  }
  return run
}
