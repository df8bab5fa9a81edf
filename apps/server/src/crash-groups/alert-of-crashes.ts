import type { AlertKind } from '@fairlead/contract'
import { fireOccurrences, type Occurrence } from '../alerts/fire.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Row } from '../db/schema.ts'
import type { JobHandler } from '../jobs/job.ts'
import { listDueGroups, markTold } from './due-groups-store.ts'

type Reason = NonNullable<Row<'crash_groups'>['mail_reason']>

/** A spike was a reason in earlier versions; now a rule counts the crashes of the application. */
const reasons: Record<Reason, { kind: AlertKind; words: string } | null> = {
  new: { kind: 'newCrashGroup', words: 'New' },
  regressed: { kind: 'crashRegression', words: 'Regressed' },
  'still crashing': { kind: 'crashRegression', words: 'Still crashing' },
  spike: null,
}

/** Fires the rules about new and regressed groups, some minutes after they came, so that symbols can come first. */
export function createCrashAlerter({ db, jobs }: Pick<AppContext, 'db' | 'jobs'>): JobHandler<'mail-crashes'> {
  return {
    async run({ applicationId }) {
      await transact(db, async (trx) => {
        const due = await listDueGroups(trx, applicationId, Date.now())
        await markTold(
          trx,
          due.map(({ id }) => id),
        )
        const told = Map.groupBy(due, ({ mail_reason: reason }) => reason ?? 'new')
        for (const [reason, groups] of told) {
          const known = reasons[reason]
          if (known === null) continue
          const occurrences = groups.map((group) => toOccurrence(group, known.words))
          await fireOccurrences(trx, { applicationId, kind: known.kind }, occurrences)
        }
      })
      jobs.wake()
      return undefined
    },
  }
}

function toOccurrence(group: Row<'crash_groups'>, words: string): Occurrence {
  const counts = `${group.crash_count} crashes on ${group.install_count} installs`
  return {
    subjectId: group.id,
    value: group.crash_count,
    title: `${words}: ${group.title}`,
    detail: [group.culprit, counts].filter(Boolean).join(' · '),
    assigneeId: group.assignee_id,
  }
}
