import { appendFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Io } from '../io.ts'
import { writeNote, writeWarning } from '../output/write.ts'

/** Values for later steps of a job, by names in kebab-case. */
export type Outputs = Readonly<Record<string, string>>

interface OutputTarget {
  /** A file of lines that a later process reads. */
  dotenvFile: string | undefined
}

/**
 * Passes values to later steps as the CI service expects it: `$GITHUB_OUTPUT`, `$BASH_ENV` of CircleCI, a logging
 * command of Azure Pipelines, or else a file of `NAME=value` lines, such as GitLab's dotenv report. A value comes from
 * a binary, so a value with a line break, which would set further variables, is left out.
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
  if (TF_BUILD !== 'True') return
  for (const [name, value] of values) {
    writeNote(io, `##vso[task.setvariable variable=${toVariable(name)};isOutput=true]${escapeAzure(value)}`)
  }
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
