import { createFeedbackAlerter } from './alerts/fire-feedback.ts'
import { createAlertLooker, createAlertPlanner, scheduleAlerts } from './alerts/look.ts'
import { createAlertMailer } from './alerts/mail-alerts.ts'
import { createDeviceRegistrar } from './devices/register.ts'
import { createTesterNotifier } from './builds/notify-testers.ts'
import { createDailyChores, scheduleDailyChores } from './chores/daily.ts'
import type { AppContext } from './context.ts'
import { warmUpReaders } from './crash-intake/warm-up-readers.ts'
import { createCrashAlerter } from './crash-groups/alert-of-crashes.ts'
import { createInboxReader } from './crash-reading/read-inbox.ts'
import { createStackRereader } from './crash-reading/reread.ts'
import { scheduleCrashReading } from './crash-reading/schedule.ts'
import { startDeliveries } from './hooks/deliver.ts'
import { createMailSender } from './mails/send.ts'
import { sendWaitingMails } from './mails/send-waiting.ts'
import { createPasswordResetSender } from './password-resets/send.ts'
import { releaseDeadClaims } from './jobs/release-claims.ts'
import { startWorker } from './jobs/worker.ts'
import { createRetentionAnnouncer } from './retention/announce.ts'
import { createTrashEmptier } from './retention/empty-trash.ts'
import { createRetentionPlanner, scheduleRetention } from './retention/plan.ts'
import { createRetentionRunner } from './retention/run.ts'
import { createUndoJob } from './retention/undo.ts'
import { createRunCompleter } from './test-verdicts/complete.ts'
import { createReminderSender } from './tester-pages/send-reminders.ts'
import { createOwnerFinderJob } from './test-history/owners.ts'
import { createTestCrashReader } from './test-verdicts/read-crashes.ts'

/** Starts the background work. On disposal it takes no more jobs and waits for the running ones. */
export async function startBackground(context: AppContext): Promise<AsyncDisposable> {
  const mailSender = await createMailSender(context)
  await releaseDeadClaims(context)
  await scheduleDailyChores(context)
  await scheduleRetention(context)
  await scheduleAlerts(context)
  await sendWaitingMails(context)
  await scheduleCrashReading(context)
  await warmUpReaders(context)
  const worker = startWorker(context, {
    'send-mail': mailSender,
    'notify-testers': createTesterNotifier(context),
    'remind-testers': createReminderSender(context),
    'reset-password': createPasswordResetSender(context),
    'daily-chores': createDailyChores(context),
    'read-crashes': createInboxReader(context),
    'reread-crashes': createStackRereader(context),
    'mail-crashes': createCrashAlerter(context),
    'plan-alerts': createAlertPlanner(context),
    'look-at-alerts': createAlertLooker(context),
    'mail-alerts': createAlertMailer(context),
    'alert-of-feedback': createFeedbackAlerter(context),
    'read-test-crashes': createTestCrashReader(context),
    'find-test-owners': createOwnerFinderJob(context),
    'plan-retention': createRetentionPlanner(context),
    'run-retention': createRetentionRunner(context),
    'undo-retention': createUndoJob(context),
    'announce-retention': createRetentionAnnouncer(context),
    'empty-trash': createTrashEmptier(context),
    'register-device': createDeviceRegistrar(context),
    'complete-test-run': createRunCompleter(context),
  })
  const deliveries = await startDeliveries(context)
  return {
    async [Symbol.asyncDispose]() {
      await deliveries[Symbol.asyncDispose]()
      await worker.stop()
      mailSender[Symbol.dispose]()
    },
  }
}
