import { html, type Html } from '../html/html.ts'
import { type Schema, toSchemaName } from './document.ts'
import { renderText, toPlainText } from './page-text.ts'

/** Renders the fields of an object, and below each field those of the objects in it. */
export function renderFields(schema: Schema): Html | undefined {
  const { properties, required = [] } = findObject(schema) ?? {}
  if (properties === undefined) return undefined
  const fields = Object.entries(properties).map(([name, field]) =>
    renderField({ name, schema: field, isRequired: required.includes(name) }),
  )
  return html`<ul class="fields">
    ${fields}
  </ul>`
}

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string | undefined
}

/** Renders one field or parameter with its type. A field that is not required is marked, since most are. */
export function renderField({ name, schema, isRequired, description = schema.description }: Field): Html {
  const inner = renderFields(schema)
  return html`<li>
    <code>${name}</code>
    <span class="type">${renderType(schema)}${isRequired ? '' : ', optional'}</span>
    ${description === undefined ? '' : html`<p>${renderText(description)}</p>`}${inner}
  </li>`
}

/** Renders the type of a value in words, with links to named schemas. */
export function renderType(schema: Schema): Html {
  const name = toSchemaName(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  if (schema.enum !== undefined) return joinTypes(schema.enum.map((value) => html`<code>${toPlainText(value)}</code>`))
  if (schema.const !== undefined) return html`<code>${toPlainText(schema.const)}</code>`
  const choices = schema.anyOf ?? schema.allOf
  if (choices !== undefined) return joinTypes(choices.map(renderType))
  if (schema.items !== undefined) return html`array of ${renderType(schema.items)}`
  const type = [schema.type ?? 'any value'].flat().join(' or ')
  return html`${type}${schema.format === undefined ? '' : ` (${schema.format})`}`
}

function joinTypes(types: Html[]): Html {
  return html`${types.map((type, index) => (index === 0 ? type : html` or ${type}`))}`
}

/** Finds the object with fields that a schema without a name holds: itself, the items of a list, or one of choices. */
function findObject(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  for (const part of parts) {
    const found = part && findObject(part)
    if (found) return found
  }
  return undefined
}
