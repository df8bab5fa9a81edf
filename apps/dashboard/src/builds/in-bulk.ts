import type { Build } from '@fairlead/contract'
import { queryClient } from '../api/client.ts'
import { createQueue } from '../uploads/upload-queue.ts'

const atOnce = 4

/**
 * Does something with several builds, a few at a time. All are tried, and what failed is said at the end.
 *
 * @throws {Error} if any failed, with the first reason
 */
export async function doInBulk(
  builds: readonly Build[],
  verb: string,
  act: (build: Build) => Promise<unknown>,
): Promise<void> {
  const enqueue = createQueue(atOnce)
  const failures: string[] = []
  await Promise.all(
    builds.map(
      (build) =>
        new Promise<void>((resolve) => {
          enqueue(async () => {
            try {
              await act(build)
            } catch (error) {
              failures.push(
                `${build.shortVersion} (${build.version}): ${error instanceof Error ? error.message : 'failed'}`,
              )
            }
            resolve()
          })
        }),
    ),
  )
  if (failures.length === 0) return
  // Those that did not fail are changed.
  await queryClient.invalidateQueries({ queryKey: ['applications'] })
  const [first = ''] = failures
  if (builds.length === 1) throw new Error(first)
  throw new Error(`${failures.length} of ${builds.length} builds could not be ${verb}. ${first}`)
}
