import { readFileSync } from 'node:fs'
import { errorTable } from '@fairlead/contract'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../http/app.ts'

/** Describes a raw request body, which no schema validates. */
export interface RawBody {
  types: string[]
  description: string
  headers: Record<string, { required?: boolean; description: string }>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: RawBody
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
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
      info: { title: 'Fairlead', version, description: 'Builds, testers and symbols of a workspace.' },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'X-Service-Token' },
          session: { type: 'apiKey', in: 'cookie', name: 'fairlead_session' },
        },
      },
      security: [{ token: [] }, { session: [] }],
    },
    transform: (route) => {
      const transformed = jsonSchemaTransform(route)
      return { url: transformed.url, schema: describeRoute(transformed.schema, route.route) }
    },
    transformObject: (document) => dropUnused(jsonSchemaTransformObject(document)),
  })
  // Swagger UI would otherwise call an online validator.
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: pagePolicy, uiConfig: { validatorUrl: null } })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/** Adds what the zod schemas do not contain: raw bodies, upload headers, and the common error responses. */
function describeRoute(schema: FastifySchema, { config, method }: RouteOptions): FastifySchema {
  const takes = config?.takes
  const statuses = [400, 401, 403, 404, ...(method === 'GET' ? [] : [409, 413, 415, 422])]
  const errors = Object.fromEntries(statuses.map((status) => [status, describeError(status)]))
  const response = { ...(schema.response as Record<string, unknown>), ...errors }
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
