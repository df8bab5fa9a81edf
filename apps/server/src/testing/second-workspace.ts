import { createApiToken } from '../api-tokens/create.ts'
import { openDatabase } from '../db/open.ts'
import { createWorkspace } from '../workspaces/create.ts'
import type { TestServer } from './start-server.ts'

/** Another workspace on the same server: what comes back is the token of its administrator. */
export async function createSecondWorkspace({ databaseUrl, dataDir }: TestServer): Promise<string> {
  const { db } = await openDatabase({ databaseUrl, dataDir })
  try {
    const workspaceId = await createWorkspace(db, 'second')
    const { token } = await createApiToken({ db }, workspaceId, { name: 'second', role: 'admin' })
    return token
  } finally {
    await db.destroy()
  }
}
