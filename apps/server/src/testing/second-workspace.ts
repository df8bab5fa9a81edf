import { createTokenSecret, hashSecret } from '../secrets/hash-secret.ts'
import { openDatabase } from '../db/open.ts'
import { createWorkspace } from '../workspaces/create.ts'
import type { TestServer } from './start-server.ts'

/** Another workspace on the same server: what comes back is the token of its administrator. */
export async function createSecondWorkspace({ databaseUrl, dataDir }: TestServer): Promise<string> {
  const { db } = await openDatabase({ databaseUrl, dataDir })
  try {
    const token = createTokenSecret()
    await db
      .insertInto('api_tokens')
      .values({
        workspace_id: await createWorkspace(db, 'second'),
        name: 'second',
        role: 'admin',
        token_hash: hashSecret(token),
        created_at: Date.now(),
      })
      .execute()
    return token
  } finally {
    await db.destroy()
  }
}
