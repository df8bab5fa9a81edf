import type { Feedback, ListFeedback, UpdateFeedback } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

type Filter = Pick<ListFeedback, 'status'>

export function feedbackOf(connection: Connection) {
  const { request, send, open } = connection
  return {
    list: (applicationId: number, query: Filter = {}, options?: CallOptions) =>
      request<Feedback[]>('GET', `/v1/applications/${applicationId}/feedback`, { query, ...options }),
    listPage: (applicationId: number, query: Filter & Paging, options?: CallOptions) =>
      requestPage<Feedback>(connection, `/v1/applications/${applicationId}/feedback`, query, options),
    listOfBuild: (buildId: number, query: Filter = {}, options?: CallOptions) =>
      request<Feedback[]>('GET', `/v1/builds/${buildId}/feedback`, { query, ...options }),
    get: (id: number, options?: CallOptions) => request<Feedback>('GET', `/v1/feedback/${id}`, options),
    update: (id: number, body: UpdateFeedback, options?: CallOptions) =>
      request<Feedback>('PATCH', `/v1/feedback/${id}`, { body, ...options }),
    remove: (id: number, options?: CallOptions) => send('DELETE', `/v1/feedback/${id}`, options),
    getPicture: (id: number, number: number, options?: CallOptions) =>
      open('HEAD', `/v1/feedback/${id}/pictures/${number}`, options),
    /** @param number from 1 */
    openPicture: (id: number, number: number, options?: CallOptions) =>
      open('GET', `/v1/feedback/${id}/pictures/${number}`, { ...options, isDownload: true }),
  }
}
