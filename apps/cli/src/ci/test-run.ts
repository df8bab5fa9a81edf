/** The facts of a CI job that identify its test run. */
export interface CiTestRun {
  /** Equal for all jobs of one pipeline, so that their reports become one run. */
  key: string | undefined
  /** Number of the attempt of the pipeline, starting at 1. */
  attempt: number | undefined
  /** Number of the parallel job and their count, such as `2/4`. */
  shard: string | undefined
  /** The commit that a pull or merge request is compared with. */
  baseCommit: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** Reads the variables that CI services set; see `ci-environment.ts` for which service sets which. */
export function readCiTestRun(env: Env): CiTestRun {
  return {
    key: findKey(env),
    attempt: toNumber(env.GITHUB_RUN_ATTEMPT) ?? plusOne(env.BUILDKITE_RETRY_COUNT) ?? toNumber(env.SYSTEM_JOBATTEMPT),
    shard:
      toShard(toNumber(env.CI_NODE_INDEX), env.CI_NODE_TOTAL) ??
      toShard(plusOne(env.CIRCLE_NODE_INDEX), env.CIRCLE_NODE_TOTAL) ??
      toShard(plusOne(env.BUILDKITE_PARALLEL_JOB), env.BUILDKITE_PARALLEL_JOB_COUNT) ??
      toShard(toNumber(env.SYSTEM_JOBPOSITIONINPHASE), env.SYSTEM_TOTALJOBSINPHASE) ??
      toShard(plusOne(env.BITBUCKET_PARALLEL_STEP), env.BITBUCKET_PARALLEL_STEP_COUNT),
    baseCommit: filled(env.CI_MERGE_REQUEST_DIFF_BASE_SHA),
  }
}

/** The id of a pipeline, prefixed with its service, because two services may use the same numbers. */
function findKey(env: Env): string | undefined {
  const ids: [service: string, id: string | undefined][] = [
    ['github', env.GITHUB_RUN_ID],
    ['gitlab', env.CI_PIPELINE_ID],
    ['bitrise', env.BITRISE_BUILD_SLUG],
    ['circleci', env.CIRCLE_WORKFLOW_ID],
    ['azure', env.BUILD_BUILDID],
    ['buildkite', env.BUILDKITE_BUILD_ID],
    ['xcode-cloud', env.CI_BUILD_ID],
    ['bitbucket', env.BITBUCKET_PIPELINE_UUID],
    ['codemagic', env.CM_BUILD_ID],
    ['jenkins', env.BUILD_TAG],
  ]
  const [service, id] = ids.find(([, value]) => filled(value) !== undefined) ?? []
  return id === undefined ? undefined : `${service}-${id}`.slice(0, 200)
}

function toShard(index: number | undefined, total: string | undefined): string | undefined {
  const count = toNumber(total)
  return index === undefined || count === undefined || count < 2 ? undefined : `${index}/${count}`
}

function plusOne(value: string | undefined): number | undefined {
  return value === '0' ? 1 : toNumber(value) === undefined ? undefined : Number(value) + 1
}

function toNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9][0-9]{0,8}$/.test(value) ? Number(value) : undefined
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value
}
