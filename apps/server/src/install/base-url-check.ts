import type { BaseUrlCheck } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { toInstant } from '../http/instant.ts'
import { isSame, sign } from '../secrets/signature.ts'
import { findBaseUrlVisit, saveBaseUrlVisit } from './base-url-store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'signingKey'>

/** The last visit that showed that a device reaches the server by its base URL. */
const Visit = z.object({ baseUrl: z.string(), at: z.number(), device: z.enum(['android', 'ios', 'other']) })

/** A device that loads the page again and again is recorded this often. */
const recordedEveryMs = 10_000

/** Hosts that only this machine reaches. */
const loopback = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Says by which address links lead to the server, and when a device reached it there. */
export async function describeBaseUrl(context: Context, cliFile: string | undefined): Promise<BaseUrlCheck> {
  const { baseUrl } = context.config
  const visit = await findVisit(context)
  const { hostname, protocol } = new URL(baseUrl)
  return {
    baseUrl,
    isLocal: loopback.test(hostname),
    isSecure: protocol === 'https:',
    checkUrl: `${baseUrl}/install/check/${toCode(context)}`,
    cliUrl: cliFile === undefined ? null : `${baseUrl}/cli/${cliFile}`,
    checkedDate: visit === undefined ? null : toInstant(visit.at),
    checkedDevice: visit?.device ?? null,
  }
}

/** Records a visit by the link of the check. Returns false for a link that this server did not make. */
export async function recordVisit(context: Context, code: string, device: z.infer<typeof Visit>['device']) {
  if (!isSame(code, toCode(context))) return false
  const { baseUrl } = context.config
  const before = await findVisit(context)
  const at = Date.now()
  const isNew = before === undefined || before.device !== device || at - before.at > recordedEveryMs
  if (isNew) await saveBaseUrlVisit(context.db, JSON.stringify({ baseUrl, at, device }))
  return true
}

/** A visit by another address, from before the setting changed, proves nothing. */
async function findVisit({ db, config }: Context) {
  const value = await findBaseUrlVisit(db)
  const visit = value === undefined ? undefined : Visit.safeParse(JSON.parse(value)).data
  return visit?.baseUrl === config.baseUrl ? visit : undefined
}

function toCode({ signingKey, config }: Pick<AppContext, 'signingKey' | 'config'>): string {
  return sign(signingKey, `base-url-check ${config.baseUrl}`)
}
