import type { Io } from '../../io.ts'
import type { CiEnvironment } from '../../ci/ci-environment.ts'
import type { Forge } from './forge.ts'

/** The forge of a job, or what is missing to reach it. */
export type FoundForge = { forge: Forge; missing?: undefined } | { forge?: undefined; missing: string }

/**
 * Opens the forge that the CI job belongs to, with the token that CI gives to the job. Nothing of it is stored, and it
 * goes to no address but that of the forge.
 */
export async function findForge(io: Io, ci: CiEnvironment): Promise<FoundForge> {
  const { env, signal } = io
  const { pullRequest, commit } = ci
  const place = { pullRequest, commit, signal }
  if (env.GITHUB_ACTIONS === 'true') {
    const { GITHUB_TOKEN: token = '', GITHUB_API_URL: apiUrl = '', GITHUB_REPOSITORY: repository = '' } = env
    if (token === '') return { missing: 'GITHUB_TOKEN is not set; give the step "GITHUB_TOKEN: ${{ github.token }}"' }
    if (apiUrl === '' || repository === '') return { missing: 'GITHUB_API_URL or GITHUB_REPOSITORY is not set' }
    const isGitea = env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true'
    const { openGithub } = await import('./github.ts')
    return { forge: openGithub({ ...place, apiUrl, repository, token, kind: isGitea ? 'gitea' : 'github' }) }
  }
  if (env.GITLAB_CI === 'true') {
    const { GITLAB_TOKEN: token = '', CI_API_V4_URL: apiUrl = '', CI_PROJECT_ID: projectId = '' } = env
    if (token === '') {
      return {
        missing:
          'GITLAB_TOKEN is not set; it is a project access token with the scope api, as CI_JOB_TOKEN may not comment',
      }
    }
    if (apiUrl === '' || projectId === '') return { missing: 'CI_API_V4_URL or CI_PROJECT_ID is not set' }
    const { openGitlab } = await import('./gitlab.ts')
    return { forge: openGitlab({ ...place, apiUrl, projectId, token }) }
  }
  if ((env.BITBUCKET_BUILD_NUMBER ?? '') !== '') {
    const { BITBUCKET_TOKEN: token = '', BITBUCKET_REPO_FULL_NAME: repository = '' } = env
    if (token === '') return { missing: 'BITBUCKET_TOKEN is not set; it is a repository access token that may comment' }
    const apiUrl = env.BITBUCKET_API_URL ?? 'https://api.bitbucket.org/2.0'
    const { openBitbucket } = await import('./bitbucket.ts')
    return { forge: openBitbucket({ ...place, apiUrl, repository, token }) }
  }
  if (env.TF_BUILD === 'True') {
    const { SYSTEM_ACCESSTOKEN: token = '', SYSTEM_COLLECTIONURI: collection = '' } = env
    const { SYSTEM_TEAMPROJECT: project = '', BUILD_REPOSITORY_ID: repositoryId = '' } = env
    if (token === '')
      return { missing: 'SYSTEM_ACCESSTOKEN is not set; give the step "SYSTEM_ACCESSTOKEN: $(System.AccessToken)"' }
    if (env.BUILD_REPOSITORY_PROVIDER !== 'TfsGit') return { missing: 'the repository is not in Azure Repos' }
    // Azure's own variable for people differs from the number that the API takes.
    const number = env.SYSTEM_PULLREQUEST_PULLREQUESTID ?? pullRequest
    const projectUrl = `${collection.replace(/\/$/, '')}/${encodeURIComponent(project)}`
    const { openAzure } = await import('./azure.ts')
    return { forge: openAzure({ ...place, pullRequest: number, projectUrl, repositoryId, token }) }
  }
  return { missing: `${ci.service} has no comments of its own` }
}
