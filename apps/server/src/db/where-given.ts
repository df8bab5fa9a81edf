/**
 * Adds to a query what an optional value asks for, for `$call`:
 * `query.$call(whereGiven(cursor, (query, id) => query.where('id', '<', id)))`.
 */
export function whereGiven<Query, Value>(
  value: Value | null | undefined,
  add: (query: Query, value: Value) => Query,
): (query: Query) => Query {
  return (query) => (value === null || value === undefined ? query : add(query, value))
}
