import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { JobHandler } from '../jobs/job.ts'
import { fireOccurrences } from './fire.ts'

/** Fires the rules about feedback. `tellHooks` enqueues the job in the transaction that stores the feedback. */
export function createFeedbackAlerter({ db, jobs }: Pick<AppContext, 'db' | 'jobs'>): JobHandler<'alert-of-feedback'> {
  return {
    async run({ applicationId, feedbackId, text }) {
      await transact(db, (trx) =>
        fireOccurrences(trx, { applicationId, kind: 'feedback' }, [
          { subjectId: feedbackId, value: null, title: 'Feedback has come', detail: text },
        ]),
      )
      jobs.wake()
      return undefined
    },
  }
}
