import { readFileSync } from 'node:fs'
import { errorTable } from '@fairlead/contract'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../http/app.ts'

/** How a route takes a body that no schema validates: bytes. */
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

/** Nothing from another host, and nothing that would turn a plain http address into https. */
const pagePolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Describes every route from the schemas that validate it: `/openapi.json`, and a page to read it, without the net. */
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
  // Without a validator, which would be asked over the net.
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: pagePolicy, uiConfig: { validatorUrl: null } })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/** Adds what no zod schema says: raw bodies, upload headers, and the errors that every route can answer with. */
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

/** Each schema comes in two forms, as it is read and as it is written; only those that something refers to stay. */
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
