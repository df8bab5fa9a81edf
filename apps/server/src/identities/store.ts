import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { LinkContent } from '../db/schema/accounts.ts'

export type IdentityRow = Row<'identities'>

/** Who a person is at a provider. */
export interface IdentityKey {
  provider: string
  issuer: string
  subject: string
}

export async function findIdentity(
  db: Db,
  { provider, issuer, subject }: IdentityKey,
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function insertIdentity(
  trx: Db,
  accountId: number,
  { provider, issuer, subject }: IdentityKey,
  email: string | null,
): Promise<IdentityRow> {
  const now = Date.now()
  const values = { account_id: accountId, provider, issuer, subject, email, created_at: now, last_used_at: now }
  return trx.insertInto('identities').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Records that an identity signed in, and the address that the provider told. */
export async function touchIdentity(trx: Db, id: number, email: string | null): Promise<void> {
  await trx.updateTable('identities').set({ email, last_used_at: Date.now() }).where('id', '=', id).execute()
}

/** Lists the identities of an account, newest first. */
export async function listIdentityRows(db: Db, accountId: number): Promise<IdentityRow[]> {
  return db.selectFrom('identities').selectAll().where('account_id', '=', accountId).orderBy('id', 'desc').execute()
}

/** Deletes an identity, and with it its sessions. */
export async function deleteIdentity(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('identities').where('id', '=', id).execute()
}

export async function deleteIdentitiesOf(trx: Db, accountId: number): Promise<void> {
  await trx.deleteFrom('identities').where('account_id', '=', accountId).execute()
}

/** Keeps other transactions from changing the identities of an account until this one ends. */
export async function lockAccount(trx: Db, id: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((update) => ({ name: update.ref('name') }))
    .where('id', '=', id)
    .execute()
}

export async function insertPendingLink(
  db: Db,
  accountId: number,
  content: LinkContent,
  { tokenHash, expiresAt }: { tokenHash: string; expiresAt: number },
): Promise<void> {
  const values = { token_hash: tokenHash, account_id: accountId, content: toJsonText(content), expires_at: expiresAt }
  await db.insertInto('pending_links').values(values).execute()
}

export async function findPendingLink(db: Db, tokenHash: string): Promise<Row<'pending_links'> | undefined> {
  return db
    .selectFrom('pending_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
}

/** Deletes a link that waits. Returns false if another request took it first. */
export async function takePendingLink(trx: Db, tokenHash: string): Promise<boolean> {
  const taken = await trx
    .deleteFrom('pending_links')
    .where('token_hash', '=', tokenHash)
    .returning('token_hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** Records that a token was used. Returns false if it was used before. */
export async function insertUsedToken(db: Db, tokenHash: string, expiresAt: number): Promise<boolean> {
  const inserted = await db
    .insertInto('used_tokens')
    .values({ token_hash: tokenHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return inserted !== undefined
}
