/** Flags that several commands share, in the form of the argument parser. */
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

export const appFlag = textFlag('Alias of the application', 'alias')

/** A positional argument that is a positive integer. */
export function idArgument(brief: string) {
  return { brief, placeholder: 'id', parse: parseId } as const
}

/** A positional argument that is a text. */
export function textArgument(brief: string, placeholder: string) {
  return { brief, placeholder, parse: String } as const
}

function parseId(text: string): number {
  const id = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(id)) throw new SyntaxError(`${JSON.stringify(text)} is not an id, which is a number from 1 on`)
  return id
}
