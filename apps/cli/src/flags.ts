/** Flags that several commands share, in the form of the argument parser. */
import type { CliContext } from './context.ts'
import type { ServerFlags } from './settings/session.ts'

const server = {
  kind: 'parsed',
  parse: String,
  brief: 'Address of the server, or the name of a login [FAIRLEAD_URL]',
  optional: true,
  placeholder: 'url|name',
} as const

const token = {
  kind: 'parsed',
  parse: String,
  brief: 'API token; other users of the machine can see it here, FAIRLEAD_TOKEN is safer',
  optional: true,
  placeholder: 'token',
} as const

const json = { kind: 'boolean', brief: 'Print the result as JSON', default: false, withNegated: false } as const

export interface JsonFlag {
  readonly json: boolean
}

export const jsonFlag = { json }

/** Flags of every command that talks to the server. */
export interface RemoteFlags extends ServerFlags, JsonFlag {}

export const remoteFlags = { server, token, json }

/** A flag that takes a text. */
export function textFlag(brief: string, placeholder: string) {
  return { kind: 'parsed', parse: String, brief, placeholder, optional: true } as const
}

/** A flag that may be given several times, each with a text. */
export function listFlag(brief: string, placeholder: string) {
  return { kind: 'parsed', parse: String, brief, placeholder, optional: true, variadic: true } as const
}

/** A flag without a value. */
export function switchFlag(brief: string) {
  return { kind: 'boolean', brief, default: false, withNegated: false } as const
}

export const roles = ['viewer', 'developer', 'admin'] as const
export type Role = (typeof roles)[number]

export const roleFlag = { kind: 'enum', values: roles, brief: 'What it may do' } as const

export function parseRole(text: string): Role {
  const role = roles.find((one) => one === text)
  if (role === undefined) throw new SyntaxError(`${JSON.stringify(text)} is none of ${roles.join(', ')}`)
  return role
}

const app = {
  kind: 'parsed',
  parse: String,
  brief: 'Alias of the application',
  placeholder: 'alias',
  proposeCompletions: proposeAliases,
} as const

export const appFlag = { ...app, optional: true } as const

/** `--app` of commands that do nothing without an application. */
export const requiredAppFlag = app

/** How long a completion waits for the server, in milliseconds. */
const completionMs = 2000

/** Proposes the applications of the server that environment, project file or login name; none if it does not answer. */
async function proposeAliases(this: CliContext, partial: string): Promise<string[]> {
  try {
    const { openSession } = await import('./settings/session.ts')
    // A note about another attempt would stand in the line that is being completed.
    const { Writable } = await import('node:stream')
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
    const { client } = await openSession({ ...this.io, stderr }, {})
    const applications = await client.applications.list({ signal: AbortSignal.timeout(completionMs) })
    return applications.map(({ alias }) => alias).filter((alias) => alias.startsWith(partial))
  } catch {
    return []
  }
}

/** A positional argument that is a positive integer. */
export function idArgument(brief: string) {
  return { brief, placeholder: 'id', parse: parseId } as const
}

/** A positional argument that is a text. */
export function textArgument(brief: string, placeholder: string) {
  return { brief, placeholder, parse: String } as const
}

export function parseId(text: string): number {
  const id = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(id)) throw new SyntaxError(`${JSON.stringify(text)} is not an id, which is a number from 1 on`)
  return id
}
