import { exampleValues } from '@fairlead/contract'
import { type Document, type Operation, type Schema, toSchemaName } from './document.ts'

type Components = Document['components']['schemas']

const instant = '2026-11-21T09:30:00.000Z'

/** The example of a text field that has none. A test fails when the document contains it. */
export const missingExample = '…'

/** Adds examples to the parameters, the JSON body and the JSON answers of an operation. */
export function addExamples(operation: Operation, components: Components): void {
  const { operationId, parameters = [], requestBody, responses } = operation
  for (const parameter of parameters) {
    parameter.example ??= createExample(parameter.schema, components, [operationId, parameter.name])
  }
  const answers = Object.values(responses).flatMap((response) => ('content' in response ? [response.content] : []))
  for (const content of [requestBody?.content, ...answers]) {
    const media = content?.['application/json']
    // A file may be JSON as well, and has no schema.
    if (!media?.schema || media.schema.format === 'binary' || media.examples !== undefined) continue
    media.example = createExample(media.schema, components, [operationId])
  }
}

/** Creates the example of a schema. `path` names the schema or operation it belongs to, and the fields down to it. */
export function createExample(schema: Schema, components: Components, path: string[]): unknown {
  const known = findValue(path)
  if (known !== undefined) return known.value
  const name = toSchemaName(schema)
  if (name !== undefined) return createExample(components[name] ?? {}, components, [...path.slice(-1), name])
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.anyOf ?? schema.allOf
  if (choices !== undefined) {
    return createExample(choices.find(({ type }) => type !== 'null') ?? {}, components, path)
  }
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties)
    return Object.fromEntries(
      fields.map(([field, value]) => [field, createExample(value, components, [...path, field])]),
    )
  }
  if (schema.items !== undefined) return [createExample(schema.items, components, path)]
  return createScalar(schema)
}

function createScalar({ type, format, minimum = 0, exclusiveMinimum = -1 }: Schema): unknown {
  switch ([type].flat()[0]) {
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return Math.max(minimum, exclusiveMinimum + 1, 3)
    case 'object':
      return {}
    case 'null':
      return null
    default:
      if (format === 'date-time') return instant
      if (format === 'date') return instant.slice(0, 10)
      return missingExample
  }
}

/** Finds the value under the longest end of the path. */
function findValue(path: string[]): { value: unknown } | undefined {
  for (const start of path.keys()) {
    const key = path.slice(start).join('.')
    if (key in exampleValues) return { value: exampleValues[key] }
  }
  return undefined
}
