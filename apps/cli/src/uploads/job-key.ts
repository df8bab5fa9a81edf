import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { readCiEnvironment } from '../ci/ci-environment.ts'
import { readCiTestRun } from '../ci/test-run.ts'
import type { Io } from '../io.ts'
import type { UploadPlan } from './upload-plan.ts'

/**
 * An idempotency key that another attempt of the same CI job gives as well, so that a job that runs again for the same
 * commit and file makes no second build. Undefined where no CI service or no commit is known.
 */
export async function createJobKey(io: Io, plan: UploadPlan): Promise<string | undefined> {
  const { key: pipelineKey } = readCiTestRun(io.env)
  const { commit } = plan.source
  if (pipelineKey === undefined || commit === undefined) return undefined
  const hash = createHash('sha256')
  await pipeline(createReadStream(plan.path), hash, { signal: io.signal })
  const job = readCiEnvironment(io.env)?.job ?? null
  const facts = [pipelineKey, job, commit, plan.application.alias, hash.digest('hex')]
  return `ci-${createHash('sha256').update(JSON.stringify(facts)).digest('hex')}`
}
