import { callForge, type ForgeCall } from './call-forge.ts'
import type { Forge, ForgeSettings } from './forge.ts'
import { listObjects, readField, readText } from './read-answer.ts'

interface BitbucketSettings extends ForgeSettings {
  apiUrl: string
  /** `workspace/repository`. */
  repository: string
  token: string
  signal: AbortSignal
}

const maxPages = 50
/** The key of a status; Bitbucket refuses longer ones. */
const maxKey = 40
const maxDescription = 255
const states = { success: 'SUCCESSFUL', failure: 'FAILED', pending: 'INPROGRESS' } as const

export function openBitbucket(settings: BitbucketSettings): Forge {
  const { apiUrl, repository, token, pullRequest, commit, signal } = settings
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  const comments = `pullrequests/${pullRequest}/comments`
  const call = (path: string, rest: Pick<ForgeCall, 'method' | 'body'> = {}) =>
    callForge(`${apiUrl}/repositories/${repository}/${path}`, { headers, signal, ...rest })
  return {
    name: 'Bitbucket',
    async listComments() {
      const found: unknown[] = []
      for (let page = 1; page <= maxPages; page++) {
        const answer = await call(`${comments}?pagelen=100&page=${page}&sort=created_on`)
        found.push(...listObjects(answer, 'values'))
        if (readField(answer, 'next') === undefined) break
      }
      // Deleted comments stay in the list.
      const present = found.filter((item) => readField(item, 'deleted') !== true)
      return present.map((item) => ({ id: readText(item, 'id'), text: readText(item, 'content', 'raw') }))
    },
    async createComment(raw) {
      await call(comments, { method: 'POST', body: { content: { raw } } })
    },
    async updateComment({ id }, raw) {
      await call(`${comments}/${id}`, { method: 'PUT', body: { content: { raw } } })
    },
    async deleteComment({ id }) {
      await call(`${comments}/${id}`, { method: 'DELETE' })
    },
    async setStatus({ name, state, description, url }) {
      const body = {
        key: name.slice(0, maxKey),
        name,
        state: states[state],
        description: description.slice(0, maxDescription),
        // Bitbucket requires an address.
        url: url ?? `https://bitbucket.org/${repository}`,
      }
      await call(`commit/${commit}/statuses/build`, { method: 'POST', body })
    },
  }
}
