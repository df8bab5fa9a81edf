import { createApiToken } from '../api-tokens/create.ts'
import { openDatabase } from '../db/open.ts'
import { createWorkspace } from '../workspaces/create.ts'
import type { TestServer } from './start-server.ts'

/** Creates another workspace on the same server and returns an administrator token for it. */
export async function createSecondWorkspace({
  databaseUrl,
  dataDir,
}: Pick<TestServer, 'databaseUrl' | 'dataDir'>): Promise<string> {
  const { db } = await openDatabase({ databaseUrl, dataDir })
  try {
    const workspaceId = await createWorkspace(db, 'second')
    const { token } = await createApiToken({ db }, workspaceId, { name: 'second', role: 'admin' })
    return token
  } finally {
    await db.destroy()
  }
}
