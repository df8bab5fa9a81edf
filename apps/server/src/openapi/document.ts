/** The parts of an OpenAPI 3.1 document that are read and changed here. */
export interface Document {
  info: { title: string; version: string; description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> }
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media>; required?: boolean; description?: string }
  responses: Record<string, Response | { $ref: string }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  content?: Record<string, Media>
}

export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

/** A JSON Schema as zod writes it. */
export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  minimum?: number
  exclusiveMinimum?: number
}

const schemaPrefix = '#/components/schemas/'

/** Gives the name of the component that a schema refers to. */
export function toSchemaName({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(schemaPrefix) ? $ref.slice(schemaPrefix.length) : undefined
}
