import { hashInstall } from '@fairlead/crashes'
import type { CrashGroupQuery } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstallSecret } from './install-secret.ts'

/** A query with the id of an installation in the form in which crashes store it. */
export interface GroupFilter extends Omit<CrashGroupQuery, 'installId'> {
  installIds?: string[] | undefined
}

export function toGroupFilter(
  context: Pick<AppContext, 'signingKey'>,
  applicationId: number,
  { installId, ...query }: CrashGroupQuery,
): GroupFilter {
  return { ...query, installIds: toInstallIds(context, applicationId, installId) }
}

/** The id may be given as the SDK sends it, or as the API shows it. */
export function toInstallIds(
  context: Pick<AppContext, 'signingKey'>,
  applicationId: number,
  installId: string | undefined,
): string[] | undefined {
  if (installId === undefined) return undefined
  const hashed = hashInstall(installId, toInstallSecret(context, applicationId))
  return /^[0-9a-f]{16}$/.test(installId) ? [hashed, installId] : [hashed]
}
