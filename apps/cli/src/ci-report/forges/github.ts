import { callForge, type ForgeCall } from './call-forge.ts'
import type { Forge, ForgeSettings } from './forge.ts'
import { listObjects, readText } from './read-answer.ts'

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
  }
}
