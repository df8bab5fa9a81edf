import type { ErrorCode } from '@fairlead/contract'
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify'
import { listErrors } from './error-responses.ts'
import { toDescription, toOperationId, toSummary } from './operation.ts'

/** Describes a raw request body, which no schema validates. */
export interface RawBody {
  types: string[]
  description: string
  headers: Record<string, { required?: boolean; description: string; example: string }>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: RawBody
    /** The media types of a file that the route sends, whole or in part. */
    sends?: string[]
  }
  interface FastifySchema {
    /** The errors of the route beside those that all routes of its kind have. */
    errors?: readonly ErrorCode[]
    /** The media type of a text that the route answers with. */
    text?: string
  }
}

/** Names the extension with the action under which the audit log has a successful call. */
const actionKey = 'x-audit-action'

/** Names the extension that carries an operation's errors to the completion of the document. */
export const errorsKey = 'x-errors'

/** Adds what the zod schemas do not contain: names, raw bodies, upload headers, files and the list of errors. */
export function describeRoute(given: FastifySchema, route: RouteOptions): FastifySchema {
  const { errors = [], text, ...schema } = given
  const config = route.config
  const takes = config?.takes
  const described = {
    ...schema,
    ...describeOperation(schema, config),
    response: describeSuccess(schema, config, text),
    ...(typeof config?.action === 'string' && { [actionKey]: config.action }),
    [errorsKey]: listErrors({
      isPublic: schema.security?.length === 0,
      hasPathParameters: route.url.includes('/:'),
      hasQuery: schema.querystring !== undefined,
      body: takes ? 'raw' : schema.body === undefined ? 'none' : 'json',
      own: config?.sends ? [...errors, 'rangeNotSatisfiable'] : errors,
    }),
  }
  if (!takes) return described
  return {
    ...described,
    consumes: takes.types,
    body: { type: 'string', format: 'binary', description: takes.description },
    headers: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(takes.headers).map(([name, { description, example }]) => [
          name,
          { type: 'string', description, examples: [example] },
        ]),
      ),
      required: Object.entries(takes.headers).flatMap(([name, { required }]) => (required ? [name] : [])),
    },
  }
}

/** The operation id and the description come from the summary, so that a new route needs no further text. */
function describeOperation(
  { summary, description, operationId, security }: FastifySchema,
  config: FastifyContextConfig | undefined,
): FastifySchema {
  if (summary === undefined) return {}
  const isPublic = security?.length === 0
  return {
    summary: toSummary(summary),
    description: toDescription(description ?? summary, { role: config?.role, isPublic }),
    operationId: operationId ?? toOperationId(summary),
  }
}

function describeSuccess(
  { response }: FastifySchema,
  config: FastifyContextConfig | undefined,
  text: string | undefined,
): Record<string, unknown> {
  if (text !== undefined) {
    return { 200: { description: 'The text', content: { [text]: { schema: { type: 'string' } } } } }
  }
  if (!config?.sends) return { ...Object(response) }
  const content = Object.fromEntries(
    config.sends.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  )
  return {
    200: { description: 'The whole file', content },
    206: { description: 'The range that was asked for', content },
    304: { type: 'null', description: 'The copy of the client is current' },
  }
}
