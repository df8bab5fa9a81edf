import { CliError } from '../cli-error.ts'
import { type RemoteFlags, switchFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { formatInstant } from '../output/units.ts'
import { writeFields, writeResult } from '../output/write.ts'
import { openSession } from '../settings/session.ts'

export interface LinkFlags extends RemoteFlags {
  readonly build: boolean
}

export const linkFlag = { build: switchFlag('The id is that of a build, whose own install link is meant') }

interface LinkChange {
  expirationDate?: string
  isRevoked?: boolean
  password?: string | null
}

/** Changes a latest link, or the install link of a build, and shows it. */
export async function updateLink(io: Io, flags: LinkFlags, id: number, change: LinkChange): Promise<void> {
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  if (flags.build) {
    const link = await client.security.updateInstallLink(id, change, call)
    return writeResult(io, flags.json, link, () => writeLink(io, { ...link, url: link.installUrl }))
  }
  const link = await client.latestLinks.update(id, change, call)
  writeResult(io, flags.json, link, () => writeLink(io, link))
}

interface ShownLink {
  url: string
  isRevoked: boolean
  hasPassword: boolean
  expirationDate: string | null
}

function writeLink(io: Io, { url, isRevoked, hasPassword, expirationDate }: ShownLink): void {
  writeFields(io, [
    ['Link', url],
    ['State', isRevoked ? 'revoked' : hasPassword ? 'needs a password' : 'open'],
    ['Ends', expirationDate && formatInstant(expirationDate)],
  ])
}

/** The password is not a flag, because other users of the machine can read the arguments of a process. */
export function readLinkPassword({ env }: Pick<Io, 'env'>, variable: string): string {
  const password = env[variable]
  if (password !== undefined && password !== '') return password
  throw new CliError('usage', `The environment variable ${variable} is empty`)
}
