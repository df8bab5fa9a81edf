import { ApiError, type CodeOwners, type UpdateCodeOwners } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import {
  clearCodeOwnersOfTests,
  findCodeOwners,
  hasCodeOwners,
  listTestsWithoutCodeOwner,
  saveCodeOwners,
  setCodeOwner,
} from './owner-store.ts'
import { createOwnerFinder, maxRules, parseCodeOwners } from './code-owners.ts'

export async function describeCodeOwners(db: Db, applicationId: number): Promise<CodeOwners> {
  const row = await findCodeOwners(db, applicationId)
  return { content: row?.content ?? '', updatedDate: toInstantOrNull(row?.updated_at ?? null) }
}

/** The owners of a file by the CODEOWNERS file of an application; empty if it names none. */
export async function findOwnersOfFile(db: Db, applicationId: number, file: string): Promise<string[]> {
  const row = await findCodeOwners(db, applicationId)
  if (!row) return []
  const owners = await createOwnerFinder(parseCodeOwners(row.content))(file)
  return owners.split(/\s+/).filter((owner) => owner !== '')
}

/**
 * Replaces the CODEOWNERS file of an application. A job then finds the owners of its tests.
 *
 * @throws {ApiError} invalidRequest when it has too many rules
 */
export async function updateCodeOwners(
  { db, jobs }: Pick<AppContext, 'db' | 'jobs'>,
  applicationId: number,
  { content }: UpdateCodeOwners,
): Promise<CodeOwners> {
  if (parseCodeOwners(content).length > maxRules) {
    throw new ApiError('invalidRequest', {
      faults: [{ source: '/content', detail: `has more than ${maxRules} patterns` }],
    })
  }
  await db.transaction().execute(async (trx) => {
    await saveCodeOwners(trx, applicationId, { content, updated_at: Date.now() })
    await clearCodeOwnersOfTests(trx, applicationId)
    await enqueueOwners(trx, applicationId)
  })
  jobs.wake()
  return describeCodeOwners(db, applicationId)
}

/** Enqueues a job that finds the owners of new tests, if the application has a CODEOWNERS file. */
export async function enqueueOwnersOfNew(db: Db, applicationId: number): Promise<void> {
  if (await hasCodeOwners(db, applicationId)) await enqueueOwners(db, applicationId)
}

async function enqueueOwners(trx: Db, applicationId: number): Promise<void> {
  await enqueueJobs(trx, [
    { kind: 'find-test-owners', key: `find-test-owners ${applicationId}`, payload: { applicationId } },
  ])
}

/** The most tests that are read at once. */
const batchSize = 500

/** The job that finds the owners of tests by their files. */
export function createOwnerFinderJob({ db }: Pick<AppContext, 'db'>): JobHandler<'find-test-owners'> {
  return {
    async run({ applicationId }, signal) {
      const row = await findCodeOwners(db, applicationId)
      if (!row) return undefined
      const find = createOwnerFinder(parseCodeOwners(row.content))
      for (let last = 0; ;) {
        if (signal.aborted) return Date.now()
        const tests = await listTestsWithoutCodeOwner(db, applicationId, last, batchSize)
        const idsOf = new Map<string, number[]>()
        for (const { id, file } of tests) {
          const owner = await find(file ?? '')
          const ids = idsOf.get(owner)
          if (ids) ids.push(id)
          else idsOf.set(owner, [id])
        }
        for (const [owner, ids] of idsOf) {
          await setCodeOwner(db, ids, owner)
        }
        if (tests.length < batchSize) return undefined
        last = tests.at(-1)?.id ?? last
      }
    },
  }
}
