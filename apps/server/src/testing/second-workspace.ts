import { createTokenSecret, hashSecret } from '../api-tokens/secret.ts'
import { openDatabase } from '../db/open.ts'
import { createWorkspace } from '../workspaces/create.ts'
import type { TestServer } from './start-server.ts'

/** Creates another workspace on the same server and returns an administrator token for it. */
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
