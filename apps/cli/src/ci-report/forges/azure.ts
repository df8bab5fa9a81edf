import { callForge, type ForgeCall } from './call-forge.ts'
import type { Forge, ForgeSettings } from './forge.ts'
import { listObjects, readField, readText } from './read-answer.ts'

interface AzureSettings extends ForgeSettings {
  /** Address of the collection and the project. */
  projectUrl: string
  repositoryId: string
  token: string
  signal: AbortSignal
}

const version = 'api-version=7.1'
const states = { success: 'succeeded', failure: 'failed', pending: 'pending' } as const

export function openAzure({ projectUrl, repositoryId, token, pullRequest, commit, signal }: AzureSettings): Forge {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  const threads = `pullRequests/${pullRequest}/threads`
  const call = (path: string, rest: Pick<ForgeCall, 'method' | 'body'> = {}) =>
    callForge(`${projectUrl}/_apis/git/repositories/${repositoryId}/${path}?${version}`, { headers, signal, ...rest })
  /** A comment is named by its thread and its number in it. */
  const toPath = (id: string) => `${threads}/${id.replace('/', '/comments/')}`
  return {
    name: 'Azure',
    async listComments() {
      return listObjects(await call(threads), 'value').flatMap((thread) =>
        listObjects(thread, 'comments')
          .filter((comment) => readField(comment, 'isDeleted') !== true)
          .map((comment) => ({
            id: `${readText(thread, 'id')}/${readText(comment, 'id')}`,
            text: readText(comment, 'content'),
          })),
      )
    },
    async createComment(content) {
      // A closed thread asks nobody to resolve it.
      const body = { comments: [{ parentCommentId: 0, content, commentType: 'text' }], status: 'closed' }
      await call(threads, { method: 'POST', body })
    },
    async updateComment({ id }, content) {
      await call(toPath(id), { method: 'PATCH', body: { content } })
    },
    async deleteComment({ id }) {
      await call(toPath(id), { method: 'DELETE' })
    },
    async setStatus({ name, state, description, url }) {
      const body = {
        state: states[state],
        description,
        context: { genre: 'fairlead', name },
        ...(url && { targetUrl: url }),
      }
      await call(`commits/${commit}/statuses`, { method: 'POST', body })
    },
  }
}
