import { readPullRequestEvent } from './github-event.ts'

/** Reads which CI service a job runs on and what it builds, from the variables that the services set. */
export interface CiEnvironment {
  /** The name of the CI service. */
  service: string
  branch: string | undefined
  commit: string | undefined
  /** Number of the pull or merge request, if the job belongs to one. */
  pullRequest: string | undefined
  /** Page of the job. */
  jobUrl: string | undefined
  /** The branch that the pull request is to be merged into. */
  targetBranch: string | undefined
  /** The name of the job, which another attempt of it has too. */
  job: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

interface CiService {
  service: string
  /** A variable that only this service sets. */
  detect: (env: Env) => boolean
  read: (env: Env) => Omit<CiEnvironment, 'service'>
}

/** Reads branch and commit of a pull request as they are to be merged, not the merge commit that is checked out. */
const services: CiService[] = [
  {
    service: 'GitHub Actions',
    detect: (env) => env.GITHUB_ACTIONS === 'true',
    read: (env) => {
      // Both `pull_request` and `pull_request_target` say in the event alone which commit is to be merged.
      const event = readPullRequestEvent(env.GITHUB_EVENT_PATH)
      const branch = env.GITHUB_REF_TYPE === 'tag' ? undefined : filled(env.GITHUB_REF_NAME)
      return {
        branch: filled(env.GITHUB_HEAD_REF) ?? branch,
        commit: event?.head ?? env.GITHUB_SHA,
        pullRequest: /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1] ?? event?.number?.toString(),
        jobUrl: join(env.GITHUB_SERVER_URL, env.GITHUB_REPOSITORY, 'actions/runs', env.GITHUB_RUN_ID),
        targetBranch: env.GITHUB_BASE_REF,
        job: env.GITHUB_JOB,
      }
    },
  },
  {
    service: 'GitLab CI',
    detect: (env) => env.GITLAB_CI === 'true',
    read: (env) => ({
      branch: filled(env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME) ?? env.CI_COMMIT_BRANCH,
      // In a pipeline of merged results, CI_COMMIT_SHA is a merge commit that is in no branch.
      commit: filled(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA) ?? env.CI_COMMIT_SHA,
      pullRequest: env.CI_MERGE_REQUEST_IID,
      jobUrl: env.CI_JOB_URL,
      targetBranch: env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME,
      job: env.CI_JOB_NAME,
    }),
  },
  {
    service: 'Bitrise',
    detect: (env) => env.BITRISE_IO === 'true',
    read: (env) => ({
      branch: env.BITRISE_GIT_BRANCH,
      commit: env.BITRISE_GIT_COMMIT,
      pullRequest: env.BITRISE_PULL_REQUEST,
      jobUrl: env.BITRISE_BUILD_URL,
      targetBranch: env.BITRISEIO_GIT_BRANCH_DEST,
      job: env.BITRISE_TRIGGERED_WORKFLOW_ID,
    }),
  },
  {
    service: 'CircleCI',
    detect: (env) => env.CIRCLECI === 'true',
    read: (env) => ({
      branch: env.CIRCLE_BRANCH,
      commit: env.CIRCLE_SHA1,
      pullRequest: filled(env.CIRCLE_PR_NUMBER) ?? env.CIRCLE_PULL_REQUEST?.split('/').at(-1),
      jobUrl: env.CIRCLE_BUILD_URL,
      targetBranch: undefined,
      job: env.CIRCLE_JOB,
    }),
  },
  {
    service: 'Azure Pipelines',
    detect: (env) => env.TF_BUILD === 'True',
    read: (env) => ({
      branch: withoutRef(filled(env.SYSTEM_PULLREQUEST_SOURCEBRANCH) ?? env.BUILD_SOURCEBRANCH),
      commit: filled(env.SYSTEM_PULLREQUEST_SOURCECOMMITID) ?? env.BUILD_SOURCEVERSION,
      pullRequest: filled(env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER) ?? env.SYSTEM_PULLREQUEST_PULLREQUESTID,
      jobUrl: azureJobUrl(env),
      targetBranch: withoutRef(env.SYSTEM_PULLREQUEST_TARGETBRANCH),
      job: env.SYSTEM_JOBNAME,
    }),
  },
  {
    service: 'Buildkite',
    detect: (env) => env.BUILDKITE === 'true',
    read: (env) => ({
      branch: env.BUILDKITE_BRANCH,
      commit: env.BUILDKITE_COMMIT,
      pullRequest: env.BUILDKITE_PULL_REQUEST === 'false' ? undefined : env.BUILDKITE_PULL_REQUEST,
      jobUrl: withJob(env.BUILDKITE_BUILD_URL, env.BUILDKITE_JOB_ID),
      targetBranch: env.BUILDKITE_PULL_REQUEST_BASE_BRANCH,
      job: filled(env.BUILDKITE_STEP_KEY) ?? env.BUILDKITE_LABEL,
    }),
  },
  {
    service: 'Xcode Cloud',
    detect: (env) => filled(env.CI_XCODE_CLOUD) !== undefined || filled(env.CI_XCODE_PROJECT) !== undefined,
    read: (env) => ({
      branch: filled(env.CI_PULL_REQUEST_SOURCE_BRANCH) ?? env.CI_BRANCH,
      commit: filled(env.CI_PULL_REQUEST_SOURCE_COMMIT) ?? env.CI_COMMIT,
      pullRequest: env.CI_PULL_REQUEST_NUMBER,
      jobUrl: env.CI_BUILD_URL,
      targetBranch: env.CI_PULL_REQUEST_TARGET_BRANCH,
      job: env.CI_WORKFLOW,
    }),
  },
  {
    service: 'Bitbucket Pipelines',
    detect: (env) => filled(env.BITBUCKET_BUILD_NUMBER) !== undefined,
    read: (env) => ({
      branch: env.BITBUCKET_BRANCH,
      commit: env.BITBUCKET_COMMIT,
      pullRequest: env.BITBUCKET_PR_ID,
      jobUrl: join(env.BITBUCKET_GIT_HTTP_ORIGIN, 'pipelines/results', env.BITBUCKET_BUILD_NUMBER),
      targetBranch: env.BITBUCKET_PR_DESTINATION_BRANCH,
      job: env.BITBUCKET_STEP_UUID,
    }),
  },
  {
    service: 'Codemagic',
    detect: (env) => filled(env.CM_BUILD_ID) !== undefined,
    read: (env) => ({
      branch: env.CM_BRANCH,
      commit: env.CM_COMMIT,
      pullRequest: env.CM_PULL_REQUEST_NUMBER,
      jobUrl:
        filled(env.CM_PROJECT_ID) &&
        `https://codemagic.io/app/${env.CM_PROJECT_ID ?? ''}/build/${env.CM_BUILD_ID ?? ''}`,
      targetBranch: env.CM_PULL_REQUEST_DEST,
      job: env.CM_WORKFLOW_NAME,
    }),
  },
  {
    // TeamCity sets no variable for the branch, so that it comes from git.
    service: 'TeamCity',
    detect: (env) => filled(env.TEAMCITY_VERSION) !== undefined,
    read: (env) => ({
      branch: undefined,
      commit: env.BUILD_VCS_NUMBER,
      pullRequest: undefined,
      jobUrl: env.BUILD_URL,
      targetBranch: undefined,
      job: env.TEAMCITY_BUILDCONF_NAME,
    }),
  },
  {
    service: 'Jenkins',
    detect: (env) => filled(env.JENKINS_URL) !== undefined,
    read: (env) => ({
      branch: filled(env.CHANGE_BRANCH) ?? filled(env.BRANCH_NAME) ?? withoutRemote(env.GIT_BRANCH),
      commit: env.GIT_COMMIT,
      pullRequest: env.CHANGE_ID,
      jobUrl: env.BUILD_URL,
      targetBranch: env.CHANGE_TARGET,
      job: filled(env.STAGE_NAME) ?? env.JOB_NAME,
    }),
  },
]

/** The CI job of this process; undefined if no known service is detected. */
export function readCiEnvironment(env: Env): CiEnvironment | undefined {
  const found = services.find(({ detect }) => detect(env))
  if (!found) return undefined
  const { branch, commit, pullRequest, jobUrl, targetBranch, job } = found.read(env)
  return {
    service: found.service,
    branch: filled(branch),
    commit: filled(commit),
    pullRequest: filled(pullRequest),
    jobUrl: filled(jobUrl),
    targetBranch: filled(targetBranch),
    job: filled(job),
  }
}

/** Services set variables to the empty text if they have no value. */
function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value
}

function join(...parts: (string | undefined)[]): string | undefined {
  return parts.every((part) => filled(part) !== undefined) ? parts.join('/') : undefined
}

function withoutRef(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/(heads|tags)\//, '')
}

function withoutRemote(branch: string | undefined): string | undefined {
  return branch?.replace(/^origin\//, '')
}

function withJob(url: string | undefined, job: string | undefined): string | undefined {
  return url === undefined || job === undefined ? url : `${url}#${job}`
}

function azureJobUrl(env: Env): string | undefined {
  const { SYSTEM_COLLECTIONURI: collection, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: id } = env
  if (collection === undefined || project === undefined || id === undefined) return undefined
  return `${collection}${encodeURIComponent(project)}/_build/results?buildId=${id}`
}
