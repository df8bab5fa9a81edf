import { readFileSync } from 'node:fs'
import { errorTable } from '@fairlead/contract'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../http/app.ts'
import { toDescription, toOperationId } from './operation.ts'

/** Describes a raw request body, which no schema validates. */
export interface RawBody {
  types: string[]
  description: string
  headers: Record<string, { required?: boolean; description: string }>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: RawBody
    /** The media types of a file that the route sends, whole or in part. */
    sends?: string[]
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const tagDescriptions: Record<string, string> = {
  Accounts: 'The account of a person: set-up, name and password',
  'API tokens': 'Tokens for CI and scripts',
  Applications: 'What builds belong to',
  'Audit log': 'Who did what in a workspace, and from where',
  Builds: 'Uploading, reading and distributing builds',
  Crashes: 'Crash keys, groups of crashes, single crashes and their statistics',
  'Distribution groups': 'Groups of testers that builds are distributed to',
  Invitations: 'Invitations of people to a workspace',
  Mails: 'The outbox of a workspace',
  Members: 'The people of a workspace and their roles',
  'Server administration': 'Accounts and workspaces of the whole server, for its administrators',
  Sessions: 'Signing in and out',
  'Symbols files': 'Mappings and dSYMs, and crashes that are made readable with them',
  'Test runs': 'Uploads of test reports, their results and verdicts',
  Testers: 'The people who install builds',
  Tests: 'The history of tests, their failures and quarantines',
  'Two-factor sign-in': 'Codes of an authenticator app and recovery codes as a second factor',
  Workspaces: 'The settings of a workspace',
}

/** Allows nothing from other hosts. It also omits `upgrade-insecure-requests`, which would break plain-HTTP servers. */
const pagePolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; " +
  "base-uri 'none'; frame-ancestors 'none'"

/**
 * Generates OpenAPI from the schemas that validate each route: `/openapi.json`, and a page at `/docs` that works
 * offline.
 */
export async function describeApi(app: App, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairlead',
        version,
        description: 'Builds, testers and symbols of a workspace.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'X-Service-Token' },
          session: { type: 'apiKey', in: 'cookie', name: 'fairlead_session' },
        },
      },
      security: [{ token: [] }, { session: [] }],
      tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    },
    transform: (route) => {
      const transformed = jsonSchemaTransform(route)
      return { url: transformed.url, schema: describeRoute(transformed.schema, route.route) }
    },
    transformObject: (document) => nameHeads(dropUnused(jsonSchemaTransformObject(document))),
  })
  // Swagger UI would otherwise call an online validator.
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: pagePolicy, uiConfig: { validatorUrl: null } })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/** Adds what the zod schemas do not contain: raw bodies, upload headers, and the common error responses. */
function describeRoute(given: FastifySchema, { config, method }: RouteOptions): FastifySchema {
  const schema = { ...given, ...describeOperation(given, config) }
  const takes = config?.takes
  const isRead = [method].flat().every((name) => name === 'GET' || name === 'HEAD')
  const statuses = [400, 401, 403, 404, ...(isRead ? [] : [409, 413, 415, 422])]
  const errors = Object.fromEntries(statuses.map((status) => [status, describeError(status)]))
  const response = { ...(schema.response as Record<string, unknown>), ...errors }
  if (config?.sends)
    return { ...schema, response: { ...describeFile(config.sends), ...errors, 416: describeError(416) } }
  if (!takes) return { ...schema, response }
  return {
    ...schema,
    response,
    consumes: takes.types,
    body: { type: 'string', format: 'binary', description: takes.description },
    headers: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(takes.headers).map(([name, { description }]) => [name, { type: 'string', description }]),
      ),
      required: Object.entries(takes.headers).flatMap(([name, { required }]) => (required ? [name] : [])),
    },
  }
}

/** A route names itself by its summary, so that a new route needs no other words. */
function describeOperation(
  { summary, description, operationId, security }: FastifySchema,
  config: FastifyContextConfig | undefined,
): FastifySchema {
  if (summary === undefined) return {}
  const isPublic = security?.length === 0
  const id = operationId ?? toOperationId(summary)
  return {
    description: description ?? toDescription(summary, { role: config?.role, isPublic }),
    operationId: id,
  }
}

function describeFile(types: string[]) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
  return {
    200: { description: 'The whole file', content },
    206: { description: 'The range that was asked for', content },
    304: { description: 'The copy of the client is current' },
  }
}

/** One route may answer GET and HEAD. They are two operations, and each needs an id of its own. */
function nameHeads<Document extends object>(document: Document): Document {
  const { paths = {} } = document as { paths?: Record<string, { head?: { operationId?: string } }> }
  for (const methods of Object.values(paths)) {
    // Both methods share one object.
    const { head } = methods
    if (head?.operationId !== undefined) methods.head = { ...head, operationId: `${head.operationId}Headers` }
  }
  return document
}

/** Each schema is generated in an input and an output form; input forms that nothing refers to are dropped. */
function dropUnused<Document extends object>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } }
  const schemas = components?.schemas ?? {}
  const text = JSON.stringify(document)
  for (const name of Object.keys(schemas)) {
    if (name.endsWith('Input') && !text.includes(`"#/components/schemas/${name}"`)) delete schemas[name]
  }
  return document
}

function describeError(status: number) {
  const entry = Object.values(errorTable).find((error) => error.status === status)
  return {
    description: entry?.title ?? 'Error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
