import { text } from 'node:stream/consumers'
import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { jsonFlag, type JsonFlag, switchFlag, textFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { writeLine, writeResult } from '../output/write.ts'
import { type Login, type Logins, readLogins, saveLogins } from '../settings/logins.ts'
import { parseServerUrl } from '../settings/server-url.ts'
import { openClient } from '../settings/session.ts'
import { logInByBrowser } from '../settings/web-login.ts'

interface Flags extends JsonFlag {
  readonly name?: string
  readonly withToken: boolean
  readonly web: boolean
}

export const command = buildCommand<Flags, [url?: string], CliContext>({
  docs: {
    brief: 'Log in to a server and keep the token',
    fullDescription: [
      'Asks for an API token, which the dashboard makes under "API tokens", and keeps it in a file that only you can',
      'read. The last login is the one that counts; --server NAME chooses another.',
      '',
      'With --web it shows a code, which you approve in a browser where you are signed in to the dashboard. The token',
      'has the workspace and the role that you choose there, and ends when you log out or leave the workspace.',
      '',
      'In a script:',
      '',
      '  fairlead login https://builds.example.com --with-token < token.txt',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'Address of the server', placeholder: 'url', parse: String, optional: true }],
    },
    flags: {
      name: textFlag('Name of this login; the host unless given', 'name'),
      withToken: switchFlag('Read the token from standard input'),
      web: switchFlag('Approve the login in a browser, by a code'),
      ...jsonFlag,
    },
  },
  func(flags, url) {
    return logIn(this.io, flags, url)
  },
})

async function logIn(io: Io, flags: Flags, givenUrl: string | undefined): Promise<void> {
  const { name, json } = flags
  if (flags.web && flags.withToken) throw new CliError('usage', '--web and --with-token exclude each other')
  const logins = await readLogins(io)
  const url = parseServerUrl(givenUrl ?? (await askForUrl(io, logins)))
  const token = await getToken(io, flags, url)
  const workspace = await openClient(io, { url, token }).workspace.get({ signal: io.signal })
  const login: Login = { name: name ?? new URL(url).host, url, token, ...(flags.web && { isOwn: true }) }
  const others = logins.servers.filter((other) => other.name !== login.name)
  await saveLogins(io, { current: login.name, servers: [...others, login] })
  writeResult(io, json, { name: login.name, url, workspace: workspace.name }, (done) =>
    writeLine(io, `Logged in to ${done.url} (workspace ${done.workspace}) as "${done.name}"`),
  )
}

async function getToken(io: Io, { web, withToken }: Flags, url: string): Promise<string> {
  if (web) return await logInByBrowser(io, openClient(io, { url }))
  const token = (withToken ? await text(io.stdin) : await askForToken(io, url)).trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CliError('usage', 'That is not an API token', { fix: 'A token is one line that begins with fl_' })
}

async function askForUrl(io: Io, logins: Logins): Promise<string> {
  const current = logins.servers.find(({ name }) => name === logins.current)?.url
  const { ask } = await requireTerminal(io, 'fairlead login https://builds.example.com --with-token < token.txt')
  return await ask((prompts, common) =>
    prompts.text({
      ...common,
      message: 'Address of the server',
      ...(current !== undefined && { initialValue: current }),
    }),
  )
}

async function askForToken(io: Io, url: string): Promise<string> {
  const { ask } = await requireTerminal(io, `fairlead login ${url} --with-token < token.txt`)
  return await ask((prompts, common) => prompts.password({ ...common, message: `API token for ${url}` }))
}

/** The prompts, which need a terminal. */
async function requireTerminal(io: Io, instead: string) {
  if (io.stdin.isTTY !== true) {
    throw new CliError('usage', 'There is no terminal to ask in', {
      fix: `Give the token on standard input: ${instead}`,
    })
  }
  const prompts = await import('@clack/prompts')
  const common = { input: io.stdin, output: io.stderr, signal: io.signal }
  return {
    ask: async (
      show: (library: typeof prompts, options: typeof common) => Promise<string | symbol>,
    ): Promise<string> => {
      const answer = await show(prompts, common)
      if (typeof answer === 'string') return answer
      throw new CliError('interrupted', 'Not logged in')
    },
  }
}
