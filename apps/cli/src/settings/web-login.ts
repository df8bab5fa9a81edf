import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type LoginProgress, RequestError, type StartedLogin } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { toShownLine } from '../output/shown-text.ts'
import { writeNote, writeWarning } from '../output/write.ts'

/** Gets a token by a login that a person approves in a browser; see RFC 8628. */
export async function logInByBrowser(io: Io, client: Client): Promise<string> {
  const started = await startLogin(io, client)
  writeNote(io, `Open ${toShownLine(started.completeVerificationUrl)}`)
  writeNote(io, `and approve the code ${toShownLine(started.userCode)}, within ten minutes.`)
  if (hasBrowser(io)) await openBrowser(io, started.completeVerificationUrl)
  const { apiToken, state } = await waitForDecision(io, client, started)
  if (apiToken !== null) return apiToken.token
  if (state === 'refused') throw new CliError('notAllowed', 'The login was refused in the browser')
  throw new CliError('failed', 'Nobody approved the login in time', { fix: 'Run the command again.' })
}

async function startLogin(io: Io, client: Client): Promise<StartedLogin> {
  const name = hostname()
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 100)
  try {
    return await client.logins.start({ name: name === '' ? 'a computer' : name }, { signal: io.signal })
  } catch (error) {
    if (!(error instanceof RequestError) || error.httpStatus !== 404) throw error
    throw new CliError('refused', 'This server is older than the login in the browser', {
      fix: 'Make a token in the dashboard under "API tokens", and run the command without --web.',
      cause: error,
    })
  }
}

async function waitForDecision(io: Io, client: Client, started: StartedLogin): Promise<LoginProgress> {
  let { intervalSeconds } = started
  for (;;) {
    await sleep(intervalSeconds * 1000, undefined, { signal: io.signal })
    const progress = await poll(io, client, started)
    if (progress === undefined) continue
    if (progress.state !== 'waiting' && progress.state !== 'slowDown') return progress
    ;({ intervalSeconds } = progress)
  }
}

/** Returns undefined when the server does not answer at the moment; the question is asked again. */
async function poll(io: Io, client: Client, { deviceCode }: StartedLogin): Promise<LoginProgress | undefined> {
  try {
    return await client.logins.poll({ deviceCode }, { signal: io.signal })
  } catch (error) {
    if (!(error instanceof RequestError) || io.signal.aborted) throw error
    if (error.httpStatus === 0 || error.httpStatus >= 500 || error.httpStatus === 429) return undefined
    if (error.httpStatus !== 404) throw error
    throw new CliError('failed', 'The login is over, but its token did not arrive', {
      fix: 'Run the command again; a token that was made is in the dashboard under "API tokens".',
      cause: error,
    })
  }
}

/** Whether a person sits at this terminal and has a browser on the same machine. */
function hasBrowser(io: Io): boolean {
  const { SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = io.env
  if (io.stderr.isTTY !== true || (SSH_CONNECTION ?? '') !== '') return false
  return process.platform !== 'linux' || (DISPLAY ?? '') !== '' || (WAYLAND_DISPLAY ?? '') !== ''
}

async function openBrowser(io: Io, url: string): Promise<void> {
  try {
    const { default: open } = await import('open')
    const opener = await open(url)
    opener.on('error', () => {})
  } catch {
    writeWarning(io, 'no browser could be opened; open the address yourself')
  }
}
