import { parseArgs } from 'node:util'

export interface TestArguments {
  /** Globs of test files; empty for all. */
  patterns: string[]
  /** Regular expressions for the names of the tests to run; empty for all. */
  names: string[]
  /** Run on PostgreSQL and S3 only, instead of SQLite and files. */
  onPostgres: boolean
  /** Save the seconds of each file to `test-seconds.json`. */
  record: boolean
}

export const usage = `usage: npm test [-- [FILE or GLOB]... [--name PATTERN]... [--postgres] [--record]]

  FILE or GLOB    run these test files only, without the checks
  --name PATTERN  run the tests whose names, with those of their suites before them, match a regular expression
  --postgres      run on PostgreSQL and S3 instead of SQLite and files
  --record        save the seconds of each file, which decide the order of the next runs`

/** Reads the arguments of `npm test`. Throws with a sentence for people when one is not understood. */
export function parseTestArguments(args: string[]): TestArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string', multiple: true, default: [] },
      postgres: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  })
  for (const name of values.name) checkPattern(name)
  const isPart = positionals.length > 0 || values.name.length > 0 || values.postgres
  if (values.record && isPart) throw new Error('--record needs a run of everything')
  return { patterns: positionals, names: values.name, onPostgres: values.postgres, record: values.record }
}

function checkPattern(name: string): void {
  if (name === '') throw new Error('--name needs a pattern')
  try {
    RegExp(name)
  } catch (cause) {
    throw new Error(`--name ${name} is not a regular expression`, { cause })
  }
}
