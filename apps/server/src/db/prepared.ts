import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './open.ts'

/** Marks the position of a value while a query is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Compiles a query once per database, for hot paths where compiling would cost more than running it. `build` receives
 * placeholders for the values that are passed later.
 */
export function prepareQuery<Input extends Record<string, string | number>, Row>(
  build: (db: Db, input: Input) => Compilable<Row>,
): (db: Db, input: Input) => Promise<Row[]> {
  const compiledFor = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db, input) => {
    let compiled = compiledFor.get(db)
    if (!compiled) {
      // Only Kysely's compiler handles these values, so a placeholder can stand in for a string or a number.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
      compiled = build(db, createPlaceholders() as Input).compile()
      compiledFor.set(db, compiled)
    }
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? input[value.name] : value))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

/** Returns a placeholder for any property that is read. */
function createPlaceholders(): object {
  return new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })
}
