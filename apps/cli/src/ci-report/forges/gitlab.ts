import { callForge, type ForgeCall } from './call-forge.ts'
import type { Forge, ForgeSettings } from './forge.ts'
import { listObjects, readText } from './read-answer.ts'

interface GitlabSettings extends ForgeSettings {
  /** `CI_API_V4_URL`. */
  apiUrl: string
  projectId: string
  token: string
  signal: AbortSignal
}

const pageSize = 100
const maxPages = 50
const maxDescription = 255
const states = { success: 'success', failure: 'failed', pending: 'pending' } as const

export function openGitlab({ apiUrl, projectId, token, pullRequest, commit, signal }: GitlabSettings): Forge {
  const headers = { 'PRIVATE-TOKEN': token }
  const project = `${apiUrl}/projects/${encodeURIComponent(projectId)}`
  const notes = `merge_requests/${pullRequest}/notes`
  const call = (path: string, rest: Pick<ForgeCall, 'method' | 'body'> = {}) =>
    callForge(`${project}/${path}`, { headers, signal, ...rest })
  return {
    name: 'GitLab',
    async listComments() {
      const found: unknown[] = []
      for (let page = 1; page <= maxPages; page++) {
        const query = `sort=asc&order_by=created_at&per_page=${pageSize}&page=${page}`
        const items = listObjects(await call(`${notes}?${query}`))
        found.push(...items)
        if (items.length < pageSize) break
      }
      return found.map((item) => ({ id: readText(item, 'id'), text: readText(item, 'body') }))
    },
    async createComment(body) {
      await call(notes, { method: 'POST', body: { body } })
    },
    async updateComment({ id }, body) {
      await call(`${notes}/${id}`, { method: 'PUT', body: { body } })
    },
    async deleteComment({ id }) {
      await call(`${notes}/${id}`, { method: 'DELETE' })
    },
    async setStatus({ name, state, description, url }) {
      const body = {
        state: states[state],
        name,
        description: description.slice(0, maxDescription),
        ...(url && { target_url: url }),
      }
      await call(`statuses/${commit}`, { method: 'POST', body })
    },
  }
}
