import type { Db } from '../db/open.ts'

/** Builds of one application hardly name more; those of an attacker must not slow down its grouping. */
const maxPackages = 100

/** Remembers packages that hold an application's own code. Returns whether one of them was not known. */
export async function addOwnPackages(trx: Db, applicationId: number, packages: readonly string[]): Promise<boolean> {
  const known = new Set(await listOwnPackages(trx, [applicationId]))
  const added = packages.filter((name) => !known.has(name)).slice(0, Math.max(0, maxPackages - known.size))
  if (added.length === 0) return false
  await trx
    .insertInto('own_packages')
    .values(added.map((name) => ({ application_id: applicationId, package: name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

export async function listOwnPackages(db: Db, applicationIds: number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('own_packages')
    .select('package')
    .where('application_id', 'in', applicationIds)
    .orderBy('package')
    .execute()
  return rows.map((row) => row.package)
}
