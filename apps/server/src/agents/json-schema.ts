import { z } from 'zod'

type Io = 'input' | 'output'

/** The schema of a tool as the library of the protocol takes it. */
export interface ToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { value: unknown } | { issues: z.core.$ZodIssue[] }
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
        return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues }
      },
      jsonSchema: { input: make, output: make },
    },
  }
}

function writeSchema(schema: z.ZodObject, io: Io): Record<string, unknown> {
  const written = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema, path }) => {
      shorten(jsonSchema)
      if (io === 'output') loosen(jsonSchema, path.length > 0)
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
 * The schema of an answer says which fields there are and no more: the server checks its answers against the whole
 * schema, and nobody writes them by it.
 */
function loosen(schema: z.core.JSONSchema.BaseSchema, isNested: boolean): void {
  delete schema.additionalProperties
  if (isNested) delete schema.required
}
