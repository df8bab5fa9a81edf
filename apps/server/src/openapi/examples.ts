import { type Document, type Operation, type Parameter, type Schema, toSchemaName } from './document.ts'

type Components = Document['components']['schemas']

const instant = '2026-11-21T09:30:00.000Z'

/** The example of a text field that has none. A test fails when the document contains it. */
export const missingExample = '…'

/** Adds examples to the parameters, the JSON body and the JSON answers of an operation. */
export function addExamples(operation: Operation, components: Components): void {
  const { parameters = [], requestBody, responses } = operation
  for (const parameter of parameters) {
    const schema = findIdentified(parameter, components) ?? parameter.schema
    parameter.example ??= createExample(schema, components)
  }
  const answers = Object.values(responses).flatMap((response) => ('content' in response ? [response.content] : []))
  for (const content of [requestBody?.content, ...answers]) {
    const media = content?.['application/json']
    // A file may be JSON as well, and has no schema.
    if (!media?.schema || media.schema.format === 'binary' || media.examples !== undefined) continue
    media.example = createExample(media.schema, components)
  }
}

/** The parameter `buildId` of a path has the example of the field `id` of the schema `Build`. */
function findIdentified({ in: place, name }: Parameter, components: Components): Schema | undefined {
  if (place !== 'path' || !name.endsWith('Id')) return undefined
  return components[name.slice(0, 1).toUpperCase() + name.slice(1, -2)]?.properties?.['id']
}

/** Creates the example of a schema from the examples that it and its fields state with `.meta({ examples: […] })`. */
export function createExample(schema: Schema, components: Components): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  const name = toSchemaName(schema)
  if (name !== undefined) return createExample(components[name] ?? {}, components)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.anyOf ?? schema.allOf
  if (choices !== undefined) return createExample(choices.find(({ type }) => type !== 'null') ?? {}, components)
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties)
    return Object.fromEntries(fields.map(([field, value]) => [field, createExample(value, components)]))
  }
  if (schema.items !== undefined) return [createExample(schema.items, components)]
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
    case undefined:
    default:
      if (format === 'date-time') return instant
      if (format === 'date') return instant.slice(0, 10)
      return missingExample
  }
}
