import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Connection } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import { pickFields } from '../api/pick-fields.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { listFlag, remoteFlags, type RemoteFlags, switchFlag, textArgument, textFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { writeLine } from '../output/write.ts'
import { openPlainConnection } from '../settings/session.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

interface Flags extends RemoteFlags {
  readonly method?: (typeof methods)[number]
  readonly data?: string
  readonly header?: readonly string[]
  readonly all: boolean
  readonly field?: string
}

export const command = buildCommand<Flags, [path: string], CliContext>({
  docs: {
    brief: 'Call any endpoint of the API',
    fullDescription: [
      'Prints the answer. --all follows the pages of a list and prints one array; --field picks values by a path in',
      'the form of jq and prints one a line, texts without quotation marks. The reference is at /docs of the server.',
      '',
      "  fairlead api '/v1/applications/1/builds?branch=main' --all --field '.[].version'",
      '  fairlead api /v1/distributionGroups --data \'{"name": "QA"}\' --field .id',
      '  fairlead api /v1/builds/7 --method DELETE',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Path of the endpoint, with its query', 'path')] },
    flags: {
      method: { kind: 'enum', values: methods, brief: 'GET, or POST with --data, unless given', optional: true },
      data: textFlag('Body in JSON; @FILE reads a file, @- standard input', 'json'),
      header: listFlag('A further header, "Name: value"; may be given several times', 'header'),
      all: switchFlag('Follow the pages of a list'),
      field: textFlag('Print only what is at this path, such as .[].name', 'path'),
      ...remoteFlags,
    },
  },
  func(flags, path) {
    return callApi(this.io, flags, path)
  },
})

async function callApi(io: Io, flags: Flags, given: string): Promise<void> {
  const path = given.startsWith('/') ? given : `/${given}`
  const body = flags.data === undefined ? undefined : await readBody(io, flags.data)
  const method = flags.method ?? (body === undefined ? 'GET' : 'POST')
  if (flags.all && method !== 'GET') throw new CliError('usage', '--all is for lists, which GET reads')
  const headers = Object.fromEntries((flags.header ?? []).map(parseHeader))
  const { url, connection } = await openPlainConnection(io, flags)
  if (URL.parse(url + path)?.origin !== new URL(url).origin) {
    throw new CliError('usage', `${JSON.stringify(given)} is not a path of the server`)
  }
  if (flags.all) return writeAnswer(io, flags, await readPages(io, connection, path, headers))
  const answer = await connection.open(method, path, { body, headers, signal: io.signal })
  const content = await answer.text()
  if (content === '') return
  const type = answer.headers.get('Content-Type') ?? ''
  if (/[/+]json\b/.test(type)) return writeAnswer(io, flags, parseJson(content, 'The answer'))
  if (!/^text\/|[/+]xml\b|ndjson|jsonl/.test(type)) {
    throw new CliError('refused', `The answer is ${type || 'of an unknown type'}, not text`, {
      fix: 'Binaries of builds come with "fairlead builds download".',
    })
  }
  if (flags.field !== undefined)
    throw new CliError('refused', `The answer is ${type || 'no JSON'}, which has no fields`)
  io.stdout.write(content)
}

function writeAnswer(io: Io, { field }: Flags, value: unknown): void {
  if (field === undefined) return writeLine(io, JSON.stringify(value, null, 2))
  for (const one of pickFields(value, field)) writeLine(io, typeof one === 'string' ? one : JSON.stringify(one))
}

const pageSize = '200'
/** The most items that --all reads; more than the largest lists have. */
const maxItems = 1_000_000

/** Reads the pages of a list, one after another, by the cursors that the server gives. */
async function readPages(
  io: Io,
  connection: Connection,
  path: string,
  headers: Record<string, string>,
): Promise<unknown[]> {
  const items: unknown[] = []
  const [place = '', query = ''] = path.split('?', 2)
  const parameters = new URLSearchParams(query)
  if (!parameters.has('limit')) parameters.set('limit', pageSize)
  for (;;) {
    const answer = await connection.open('GET', `${place}?${parameters.toString()}`, { headers, signal: io.signal })
    const page = parseJson(await answer.text(), 'The answer')
    if (!Array.isArray(page)) throw new CliError('refused', 'The answer is not a list, so it has no pages')
    const more: unknown[] = page
    for (const item of more) items.push(item)
    const next = /<([^>]*)>\s*;\s*rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1]
    const cursor = next === undefined ? null : new URL(next, 'http://relative').searchParams.get('cursor')
    if (cursor === null) return items
    if (items.length >= maxItems) throw new CliError('refused', `The list has more than ${maxItems} items`)
    parameters.set('cursor', cursor)
  }
}

async function readBody(io: Io, data: string): Promise<unknown> {
  if (!data.startsWith('@')) return parseJson(data, '--data')
  const path = data.slice(1)
  const content = path === '-' ? await text(io.stdin) : await readFile(resolve(io.cwd, path), 'utf8')
  return parseJson(content, path === '-' ? 'Standard input' : path)
}

function parseJson(content: string, name: string): unknown {
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new CliError('usage', `${name} is not JSON`, { cause })
  }
}

function parseHeader(header: string): [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]{1,100}):[ \t]*([^\r\n]{0,8000})$/.exec(header) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new CliError('usage', `${JSON.stringify(header)} is not a header such as "X-Service-Branch: main"`)
}
