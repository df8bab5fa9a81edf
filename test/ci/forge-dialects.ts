/**
 * The comments and commit statuses of each forge: where its documentation has the credentials, the paths, the methods,
 * the fields of requests and those of answers.
 */
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

export const forgeToken = 'token-of-the-job'
export const commit = 'c0ffee0000000000000000000000000000000000'

const text = z.string().min(1).max(65_536)

export interface Dialect {
  /** Throws if the credentials are not in the documented place. */
  authorize: (headers: IncomingHttpHeaders) => void
  comments: string
  comment: (path: string) => number | undefined
  update: 'PATCH' | 'PUT'
  body: z.ZodType<string>
  changed: z.ZodType<string>
  list: (comments: [number, string][], query: URLSearchParams) => unknown
  status: { path: string; body: z.ZodType<{ name: string; state: string }> }
  /** The status of the answer to a deletion. */
  deleted: number
}

const bearer = ({ authorization }: IncomingHttpHeaders) => assert.equal(authorization, `Bearer ${forgeToken}`)
const plainBody = z.strictObject({ body: text }).transform(({ body }) => body)
const rawBody = z.strictObject({ content: z.strictObject({ raw: text }) }).transform(({ content }) => content.raw)
const last = (prefix: string) => (path: string) =>
  path.startsWith(prefix) && /^\d+$/.test(path.slice(prefix.length)) ? Number(path.slice(prefix.length)) : undefined
const pageOf = (comments: [number, string][], query: URLSearchParams, size: number) => {
  const page = Number(query.get('page') ?? 1)
  return comments.slice((page - 1) * size, page * size)
}
const githubStatus = z
  .strictObject({
    state: z.enum(['error', 'failure', 'pending', 'success']),
    target_url: z.url().optional(),
    description: z.string().max(140).optional(),
    context: z.string(),
  })
  .transform(({ context, state }) => ({ name: context, state }))

export const dialects = {
  github: {
    authorize(headers) {
      bearer(headers)
      assert.equal(headers.accept, 'application/vnd.github+json')
      assert.ok(headers['user-agent'], 'GitHub refuses requests without a User-Agent')
    },
    comments: '/repos/team/shop/issues/17/comments',
    comment: last('/repos/team/shop/issues/comments/'),
    update: 'PATCH',
    body: plainBody,
    changed: plainBody,
    list: (comments, query) => {
      const size = Number(query.get('per_page') ?? 30)
      assert.ok(size <= 100)
      return pageOf(comments, query, size).map(([id, body]) => ({ id, body, user: { login: 'ci' } }))
    },
    status: { path: `/repos/team/shop/statuses/${commit}`, body: githubStatus },
    deleted: 204,
  },
  gitea: {
    authorize: ({ authorization }) => assert.equal(authorization, `token ${forgeToken}`),
    comments: '/api/v1/repos/team/shop/issues/17/comments',
    comment: last('/api/v1/repos/team/shop/issues/comments/'),
    update: 'PATCH',
    body: plainBody,
    changed: plainBody,
    list: (comments) => comments.map(([id, body]) => ({ id, body })),
    status: { path: `/api/v1/repos/team/shop/statuses/${commit}`, body: githubStatus },
    deleted: 204,
  },
  gitlab: {
    authorize: (headers) => assert.equal(headers['private-token'], forgeToken),
    comments: '/api/v4/projects/5/merge_requests/17/notes',
    comment: last('/api/v4/projects/5/merge_requests/17/notes/'),
    update: 'PUT',
    body: plainBody,
    changed: plainBody,
    list: (comments, query) => {
      assert.deepEqual([query.get('sort'), query.get('order_by')], ['asc', 'created_at'])
      const size = Number(query.get('per_page') ?? 20)
      assert.ok(size <= 100)
      return pageOf(comments, query, size).map(([id, body]) => ({ id, body, system: false }))
    },
    status: {
      path: `/api/v4/projects/5/statuses/${commit}`,
      body: z
        .strictObject({
          state: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
          name: z.string(),
          target_url: z.url().max(255).optional(),
          description: z.string().max(255).optional(),
        })
        .transform(({ name, state }) => ({ name, state })),
    },
    deleted: 204,
  },
  bitbucket: {
    authorize: bearer,
    comments: '/2.0/repositories/team/shop/pullrequests/17/comments',
    comment: last('/2.0/repositories/team/shop/pullrequests/17/comments/'),
    update: 'PUT',
    body: rawBody,
    changed: rawBody,
    list: (comments, query) => {
      const size = Number(query.get('pagelen') ?? 10)
      assert.ok(size <= 100)
      const page = Number(query.get('page') ?? 1)
      const values = pageOf(comments, query, size).map(([id, raw]) => ({ id, content: { raw }, deleted: false }))
      const deleted = { id: 1, content: { raw: '[//]: # (fairlead shop)' }, deleted: true }
      return { values: [deleted, ...values], page, ...(comments.length > page * size && { next: 'https://next' }) }
    },
    status: {
      path: `/2.0/repositories/team/shop/commit/${commit}/statuses/build`,
      body: z
        .strictObject({
          key: z.string().max(40),
          name: z.string(),
          state: z.enum(['SUCCESSFUL', 'FAILED', 'INPROGRESS', 'STOPPED']),
          description: z.string().optional(),
          url: z.url(),
        })
        .transform(({ name, state }) => ({ name, state })),
    },
    deleted: 204,
  },
  azure: {
    authorize: bearer,
    comments: '/team/The%20Shop/_apis/git/repositories/r1/pullRequests/17/threads',
    comment: (path) => {
      const id = /\/pullRequests\/17\/threads\/(\d+)\/comments\/1$/.exec(path)?.[1]
      return id === undefined ? undefined : Number(id)
    },
    update: 'PATCH',
    body: z
      .strictObject({
        comments: z.tuple([
          z.strictObject({ parentCommentId: z.literal(0), content: text, commentType: z.enum(['text', 'codeChange']) }),
        ]),
        status: z.enum(['active', 'closed', 'fixed', 'pending', 'byDesign', 'wontFix', 'unknown']),
      })
      .transform(({ comments: [{ content }] }) => content),
    changed: z.strictObject({ content: text }).transform(({ content }) => content),
    list: (comments, query) => {
      assert.equal(query.get('api-version'), '7.1')
      const value = comments.map(([id, content]) => ({ id, comments: [{ id: 1, content, commentType: 'text' }] }))
      return { value, count: value.length }
    },
    status: {
      path: `/team/The%20Shop/_apis/git/repositories/r1/commits/${commit}/statuses`,
      body: z
        .strictObject({
          state: z.enum(['notSet', 'pending', 'succeeded', 'failed', 'error', 'notApplicable']),
          description: z.string(),
          context: z.strictObject({ name: z.string(), genre: z.string() }),
          targetUrl: z.url().optional(),
        })
        .transform(({ context, state }) => ({ name: context.name, state })),
    },
    deleted: 200,
  },
} satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects
