import { randomBytes } from 'node:crypto'
import type { CrashKey, CreateCrashKey, UpdateCrashKey } from '@fairlead/contract'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { forgetCrashKeys } from './crash-key-memo.ts'
import { toCrashKey } from './crash-key.ts'
import { insertCrashKey, updateCrashKeyRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'memo' | 'config'>

export async function createCrashKey(
  context: Context & Pick<AppContext, 'readers'>,
  workspaceId: number,
  applicationId: number,
  { name }: CreateCrashKey,
): Promise<CrashKey> {
  await requireApplication(context, workspaceId, applicationId)
  const row = await insertCrashKey(context.db, {
    application_id: applicationId,
    name,
    key: randomBytes(16).toString('hex'),
    is_enabled: 1,
    created_at: Date.now(),
  })
  context.readers.deliveries.warmUp()
  return toCrashKey(row, context.config.baseUrl)
}

/** @throws {ApiError} applicationNotFound, crashKeyNotFound */
export async function updateCrashKey(
  context: Context,
  workspaceId: number,
  { applicationId, keyId }: { applicationId: number; keyId: number },
  { name, isEnabled }: UpdateCrashKey,
): Promise<CrashKey> {
  await requireApplication(context, workspaceId, applicationId)
  const row = await updateCrashKeyRow(context.db, applicationId, keyId, {
    ...(name !== undefined && { name }),
    ...(isEnabled !== undefined && { is_enabled: isEnabled ? 1 : 0 }),
  })
  forgetCrashKeys(context.db)
  return toCrashKey(row, context.config.baseUrl)
}
