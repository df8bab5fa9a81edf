import type { AppInfo } from '@fairlead/binary'
import { toCleanName } from '@fairlead/contract'
import { requireUnnamedApplication } from '../applications/of-file.ts'
import type { ApplicationRow } from '../applications/application.ts'
import type { Db } from '../db/open.ts'
import { toApplicationPlatform } from './read-binary.ts'

/** Finds the application that has the identifier of a binary, or creates one with all that the binary says. */
export async function requireApplicationOfFile(trx: Db, workspaceId: number, app: AppInfo): Promise<ApplicationRow> {
  const { bundleIdentifier } = app
  const name = toCleanName(app.name).trim().slice(0, 200)
  return requireUnnamedApplication(trx, workspaceId, {
    name: name === '' ? bundleIdentifier : name,
    platform: toApplicationPlatform(app),
    bundleIdentifier,
  })
}
