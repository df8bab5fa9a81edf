import { appendFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Io } from '../io.ts'
import { writeNote, writeWarning } from '../output/write.ts'

/** Values for later steps of a job, by names in kebab-case. */
export type Outputs = Readonly<Record<string, string>>

const programTimeoutMs = 30_000

interface OutputTarget {
  /** A file of lines that a later process reads. */
  dotenvFile: string | undefined
}

/**
 * Passes values to later steps as the CI service expects it: `$GITHUB_OUTPUT`, `$BASH_ENV` of CircleCI, a logging
 * command of Azure Pipelines, `envman` of Bitrise, `buildkite-agent meta-data`, or else a file of `NAME=value` lines,
 * such as GitLab's dotenv report. A value comes from a binary, so a value with a line break, which would set further
 * variables, is left out.
 */
export async function writeOutputs(io: Io, outputs: Outputs, { dotenvFile }: OutputTarget): Promise<void> {
  const values = Object.entries(outputs).filter(([name, value]) => isOneLine(io, name, value))
  const append = async (path: string | undefined, toLine: (name: string, value: string) => string) => {
    if (path === undefined || path === '') return
    await appendFile(resolve(io.cwd, path), values.map(([name, value]) => `${toLine(name, value)}\n`).join(''))
  }
  const { GITHUB_OUTPUT, CIRCLECI, BASH_ENV, TF_BUILD } = io.env
  await append(GITHUB_OUTPUT, (name, value) => `${name}=${value}`)
  if (CIRCLECI === 'true') await append(BASH_ENV, (name, value) => `export ${toVariable(name)}=${quote(value)}`)
  await append(dotenvFile, (name, value) => `${toVariable(name)}=${value}`)
  for (const [name, value] of values) {
    if (io.env.BITRISE_IO === 'true') await run(io, 'envman', ['add', '--key', toVariable(name), '--value', value])
    if (io.env.BUILDKITE === 'true') await run(io, 'buildkite-agent', ['meta-data', 'set', `fairlead-${name}`, value])
    if (TF_BUILD !== 'True') continue
    writeNote(io, `##vso[task.setvariable variable=${toVariable(name)};isOutput=true]${escapeAzure(value)}`)
  }
}

/** Runs a program of the CI service. The upload is done, so that a missing program is only a warning. */
async function run(io: Io, program: string, args: readonly string[]): Promise<void> {
  const { execFile } = await import('node:child_process')
  await new Promise<void>((resolve_) => {
    execFile(program, args, { cwd: io.cwd, env: io.env, timeout: programTimeoutMs }, (error) => {
      if (error) writeWarning(io, `${program} did not take ${args.at(-2) ?? ''}: ${error.message}`)
      resolve_()
    })
  })
}

function isOneLine(io: Io, name: string, value: string): boolean {
  if (!/\p{Cc}/u.test(value)) return true
  writeWarning(io, `the output ${name} holds control characters and is left out`)
  return false
}

/** `install-url` → `FAIRLEAD_INSTALL_URL`. */
function toVariable(name: string): string {
  return `FAIRLEAD_${name.replaceAll('-', '_').toUpperCase()}`
}

function quote(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`
}

function escapeAzure(value: string): string {
  return value.replaceAll('%', '%AZP25')
}
