import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../http/app.ts'
import { completeDocument } from './complete-document.ts'
import { describeRoute } from './describe-route.ts'
import type { Document } from './document.ts'
import { serverVersion } from '../server-version.ts'
import { tags } from './tags.ts'

const introduction = `Builds, testers, symbols, crashes and tests of a workspace.

Callers send an API token in \`X-Service-Token\` or as \`Authorization: Bearer\`, or act as a signed-in browser. Every
unsuccessful answer has the error object. A list without \`limit\` is complete; with \`limit\`, the header \`Link\` has
the address of the next page. Answers with 429 or 503 say in \`Retry-After\` when to try again.`

/** Generates OpenAPI from the schemas that validate each route. Call this before adding routes. */
export async function describeApi(app: App, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairlead',
        version: serverVersion,
        description: introduction,
        contact: { name: 'This server', url: baseUrl },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Service-Token',
            description: 'An API token of a workspace, which an administrator makes in the dashboard',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same API token in `Authorization`' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'fairlead_session',
            description:
              'The cookie of a browser, `__Host-fairlead_session` over HTTPS; writes also send `X-CSRF-Token`',
          },
        },
      },
      security: [{ token: [] }, { bearer: [] }, { session: [] }],
      tags,
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      return { url, schema: describeRoute(schema, route.route) }
    },
    transformObject: (document) => {
      const transformed: object = jsonSchemaTransformObject(document)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the transformations above make documents
      return completeDocument(transformed as Document)
    },
  })
}
