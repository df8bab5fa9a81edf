import { ApiError, type AppStoreConnect, type SaveAppStoreConnect } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstant } from '../http/instant.ts'
import type { Caller } from '../http/caller.ts'
import { decryptSecret, encryptSecret } from '../secrets/encrypt.ts'
import { type AppleApi, AppleError, openAppleApi, readAppleKey } from './apple-api.ts'
import { deleteKeyRow, findKeyRow, replaceKeyRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config'>

/** @throws {ApiError} notFound when the workspace has no key */
export async function readAppStoreConnect({ db }: Context, workspaceId: number): Promise<AppStoreConnect> {
  const row = await findKeyRow(db, workspaceId)
  if (!row) throw new ApiError('notFound', { detail: 'The workspace has no key of App Store Connect' })
  return {
    issuerId: row.issuer,
    keyId: row.key_name,
    createdDate: toInstant(row.created_at),
    createdBy: row.created_by,
  }
}

/**
 * Keeps the key by which devices are registered, after Apple has accepted it. It is stored encrypted and never shown.
 *
 * @throws {ApiError} appStoreConnectRefused
 */
export async function saveAppStoreConnect(
  context: Context,
  caller: Pick<Caller, 'workspaceId' | 'name'>,
  { issuerId, keyId, privateKey }: SaveAppStoreConnect,
): Promise<AppStoreConnect> {
  const { db, config } = context
  if (config.secretsKeys.length === 0) {
    throw refuse('The server has no FAIRLEAD_SECRETS_KEY, which would encrypt the key')
  }
  try {
    readAppleKey(privateKey)
    await openAppleApi(config.appleApiUrl, { issuerId, keyId, privateKey }).check()
  } catch (error) {
    if (error instanceof TypeError) throw refuse(`The key ${error.message}`, '/privateKey')
    if (error instanceof AppleError) throw refuse(`The key was not accepted: ${error.message}`)
    throw error
  }
  await replaceKeyRow(db, {
    workspace_id: caller.workspaceId,
    issuer: issuerId,
    key_name: keyId,
    private_key: encryptSecret(config, 'app_store_keys.private_key', privateKey),
    created_at: Date.now(),
    created_by: caller.name,
  })
  return readAppStoreConnect(context, caller.workspaceId)
}

/** @throws {ApiError} notFound */
export async function removeAppStoreConnect({ db }: Context, workspaceId: number): Promise<void> {
  if (!(await deleteKeyRow(db, workspaceId))) throw new ApiError('notFound')
}

/** Opens Apple's API with the key of a workspace; undefined when it has none. */
export async function openAppleApiOf(
  { db, config }: Context,
  workspaceId: number,
  signal?: AbortSignal,
): Promise<AppleApi | undefined> {
  const row = await findKeyRow(db, workspaceId)
  if (!row) return undefined
  const privateKey = decryptSecret(config, 'app_store_keys.private_key', row.private_key)
  return openAppleApi(config.appleApiUrl, { issuerId: row.issuer, keyId: row.key_name, privateKey }, signal)
}

function refuse(detail: string, source?: string): ApiError {
  return new ApiError('appStoreConnectRefused', {
    detail,
    ...(source !== undefined && { faults: [{ source, detail }] }),
  })
}
