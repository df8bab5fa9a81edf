import type { Document, Schema } from './document.ts'

const inputSuffix = 'Input'

/**
 * Simplifies the named schemas. zod writes each of them twice, as it is sent and as it is answered; equal ones become
 * one. An answer may get more fields in a later version, so schemas do not forbid further ones. Schemas that nothing
 * refers to are dropped.
 */
export function simplifyComponents(document: Document): Document {
  allowMoreFields(document)
  const merged = mergeInputs(document)
  dropUnused(merged)
  return merged
}

function allowMoreFields(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  if ('additionalProperties' in part && part.additionalProperties === false) {
    Reflect.deleteProperty(part, 'additionalProperties')
  }
  for (const value of Object.values(part)) allowMoreFields(value)
}

function mergeInputs(document: Document): Document {
  const { schemas } = document.components
  const equal = Object.keys(schemas).filter((name) => {
    const other = schemas[toOutputName(name)]
    return name.endsWith(inputSuffix) && other !== undefined && toShape(schemas[name]) === toShape(other)
  })
  let text = JSON.stringify(document)
  for (const name of equal) text = text.replaceAll(toReference(name), toReference(toOutputName(name)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only references in the text of a document changed
  return JSON.parse(text) as Document
}

function toOutputName(name: string): string {
  return name.slice(0, -inputSuffix.length)
}

function toReference(name: string): string {
  return `"#/components/schemas/${name}"`
}

/** Returns the schema as text in which references to input and output forms are equal, for comparing schemas. */
function toShape(schema: Schema | undefined): string {
  return JSON.stringify(schema).replaceAll(`${inputSuffix}"`, '"')
}

/** Repeats until nothing changes, because a dropped schema may have been the last that referred to another. */
function dropUnused({ paths, components }: Document): void {
  const { schemas } = components
  for (;;) {
    const used = JSON.stringify([paths, components.responses, ...Object.values(schemas)])
    const unused = Object.keys(schemas).filter((name) => !used.includes(toReference(name)))
    if (unused.length === 0) return
    for (const name of unused) delete schemas[name]
  }
}

/** One route may answer GET and HEAD. They are two operations, and each needs an id of its own. */
export function separateHeads(document: Document): void {
  for (const methods of Object.values(document.paths)) {
    const { head } = methods
    // Both methods share one object.
    if (head) methods['head'] = { ...structuredClone(head), operationId: `${head.operationId}Headers` }
  }
}
