import { callForge, type ForgeCall } from './call-forge.ts'
import type { Forge, ForgeCheck, ForgeChecks, ForgeSettings } from './forge.ts'
import { listObjects, readField, readText } from './read-answer.ts'

interface GithubSettings extends ForgeSettings {
  /** The base of the API: `https://api.github.com`, or that of GitHub Enterprise, Gitea or Forgejo. */
  apiUrl: string
  /** `owner/name`. */
  repository: string
  token: string
  /** Gitea and Forgejo have the same comments and statuses, but pages of another size and their own token scheme. */
  kind: 'github' | 'gitea'
  signal: AbortSignal
}

const pageSize = { github: 100, gitea: 50 }
const maxPages = 50
/** GitHub refuses longer descriptions of a status. */
const maxDescription = 140
/** GitHub refuses longer reports of a check, more annotations in a request, and longer titles of them. */
const maxReport = 65_535
const maxAnnotations = 50
const maxAnnotationTitle = 255

export function openGithub(settings: GithubSettings): Forge {
  const { apiUrl, repository, token, kind, pullRequest, commit, signal } = settings
  const headers: Record<string, string> =
    kind === 'github'
      ? {
          Authorization: `Bearer ${token}`,
          Accept: 'application/vnd.github+json',
          'X-GitHub-Api-Version': '2022-11-28',
        }
      : { Authorization: `token ${token}`, Accept: 'application/json' }
  const call = (path: string, rest: Pick<ForgeCall, 'method' | 'body'> = {}) =>
    callForge(`${apiUrl}/repos/${repository}/${path}`, { headers, signal, ...rest })
  return {
    name: kind === 'github' ? 'GitHub' : 'Gitea',
    async listComments() {
      const found: unknown[] = []
      for (let page = 1; page <= maxPages; page++) {
        const size = pageSize[kind]
        const items = listObjects(
          await call(`issues/${pullRequest}/comments?per_page=${size}&limit=${size}&page=${page}`),
        )
        found.push(...items)
        // Gitea gives all comments at once and ignores the page.
        if (items.length < size || kind === 'gitea') break
      }
      return found.map((item) => ({ id: readText(item, 'id'), text: readText(item, 'body') }))
    },
    async createComment(body) {
      await call(`issues/${pullRequest}/comments`, { method: 'POST', body: { body } })
    },
    async updateComment({ id }, body) {
      await call(`issues/comments/${id}`, { method: 'PATCH', body: { body } })
    },
    async deleteComment({ id }) {
      await call(`issues/comments/${id}`, { method: 'DELETE' })
    },
    async setStatus({ name, state, description, url }) {
      const body = {
        state,
        context: name,
        description: description.slice(0, maxDescription),
        ...(url && { target_url: url }),
      }
      await call(`statuses/${commit}`, { method: 'POST', body })
    },
    ...(kind === 'github' && { checks: openChecks(call, commit) }),
  }
}

/** Check runs, which GitHub alone has, and which only the token of a GitHub App, such as that of Actions, may write. */
function openChecks(
  call: (path: string, rest?: Pick<ForgeCall, 'method' | 'body'>) => Promise<unknown>,
  commit: string | undefined,
): ForgeChecks {
  return {
    async findNewest(name) {
      let newest: { id: number; key: string } | undefined
      for (let page = 1; page <= maxPages; page++) {
        const query = `check_name=${encodeURIComponent(name)}&filter=all&per_page=${pageSize.github}&page=${page}`
        const runs = listObjects(await call(`commits/${commit}/check-runs?${query}`), 'check_runs')
        for (const run of runs) {
          const id = Number(readField(run, 'id'))
          if (newest === undefined || id > newest.id) newest = { id, key: readText(run, 'external_id') }
        }
        if (runs.length < pageSize.github) break
      }
      return newest?.key
    },
    async create({ name, key, isSuccess, title, report, url, remarks }: ForgeCheck) {
      const annotations = remarks.slice(0, maxAnnotations).map((remark) => ({
        path: remark.path,
        start_line: remark.line,
        end_line: remark.line,
        annotation_level: 'failure',
        title: remark.title.slice(0, maxAnnotationTitle),
        message: remark.message,
      }))
      const body = {
        name,
        head_sha: commit,
        external_id: key,
        status: 'completed',
        conclusion: isSuccess ? 'success' : 'failure',
        output: { title, summary: report.slice(0, maxReport), annotations },
        ...(url && { details_url: url }),
      }
      await call('check-runs', { method: 'POST', body })
    },
  }
}
