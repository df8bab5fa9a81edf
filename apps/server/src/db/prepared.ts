import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './open.ts'

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is built and compiled once per database, for the few places where a request costs less than
 * compiling what it asks. `build` sees placeholders for the values that `run` gets.
 */
export function prepareQuery<Input extends Record<string, string | number>, Row>(
  build: (db: Db, input: Input) => Compilable<Row>,
): (db: Db, input: Input) => Promise<Row[]> {
  const compiledFor = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db, input) => {
    let compiled = compiledFor.get(db)
    if (!compiled) {
      // Only the query compiler sees that these are no numbers and no strings.
      compiled = build(db, createPlaceholders() as Input).compile()
      compiledFor.set(db, compiled)
    }
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? input[value.name] : value))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

/** Whatever name is asked for, its placeholder. */
function createPlaceholders(): object {
  return new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })
}
