/**
 * Columns that hold JSON. The type of such a text carries the type of its value, so that the compiler checks that the
 * writers and the readers of a column agree. A field that rows of earlier versions lack is optional.
 */
declare const content: unique symbol

export type JsonText<Value> = string & { readonly [content]: Value }

export function toJsonText<Value>(value: Value): JsonText<Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text is the JSON of the value
  return JSON.stringify(value) as JsonText<Value>
}

export function parseJsonText<Value>(text: JsonText<Value>): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `toJsonText` makes such a text, from a value
  return JSON.parse(text) as Value
}
