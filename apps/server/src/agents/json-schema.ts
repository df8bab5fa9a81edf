import { z } from 'zod'
import { cleanText, sliceText } from './untrusted.ts'

type Io = 'input' | 'output'

interface Issue {
  message: string
  path: PropertyKey[]
}

/** The schema of a tool as the library of the protocol takes it. */
export interface ToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { value: unknown } | { issues: Issue[] }
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

/**
 * Makes JSON Schema once, since the library asks for it at each request. Limits that every safe integer keeps are left
 * out, and a nullable field has two types instead of a union: agents pay for each word of a schema.
 */
export function toToolSchema(schema: z.ZodObject, io: Io): ToolSchema {
  let made: Record<string, unknown> | undefined
  const make = () => (made ??= writeSchema(schema, io))
  return {
    '~standard': {
      version: 1,
      vendor: 'fairlead',
      validate(value) {
        const parsed = schema.safeParse(value)
        return parsed.success ? { value: parsed.data } : { issues: shortenIssues(parsed.error.issues) }
      },
      jsonSchema: { input: make, output: make },
    },
  }
}

const maxIssues = 5
const longestIssue = 200

/** The library tells the issues to the agent, and they name unknown keys, which may be of any length. */
function shortenIssues(issues: z.core.$ZodIssue[]): Issue[] {
  return issues
    .slice(0, maxIssues)
    .map(({ message, path }) => ({ message: sliceText(cleanText(message), 0, longestIssue), path }))
}

function writeSchema(schema: z.ZodObject, io: Io): Record<string, unknown> {
  const written = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema, path }) => {
      shorten(jsonSchema)
      if (io === 'output') loosen(jsonSchema, path)
    },
  })
  // The library of the protocol names the dialect itself.
  const { $schema: _dialect, ...rest } = written
  return rest
}

function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const [first, second, ...others] = schema.anyOf ?? []
  if (typeof first !== 'object' || others.length > 0 || typeof second !== 'object') return
  const { type, enum: values, ...rest } = first
  if (second.type !== 'null' || typeof type !== 'string') return
  delete schema.anyOf
  Object.assign(schema, rest, { type: [type, 'null'] }, values !== undefined && { enum: [...values, null] })
}

/**
 * The schema of an answer names the fields of the server's own words, and of texts only where they stand. The server
 * checks its answers against the whole schema, and nobody writes them by it.
 */
function loosen(schema: z.core.JSONSchema.BaseSchema, path: readonly (string | number)[]): void {
  delete schema.additionalProperties
  if (path.length > 0) delete schema.required
  const field = path.at(-1)
  if (field === 'untrusted') delete schema.properties
  if (field === 'more') schema.items = { type: 'object' }
}
