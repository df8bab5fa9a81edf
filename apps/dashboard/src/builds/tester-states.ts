import type { BuildTester, TesterState } from '@fairlead/contract'

/** The states from the last to the first, each as a heading of a count. */
export const testerStates: { state: TesterState; label: string }[] = [
  { state: 'installed', label: 'Installed' },
  { state: 'opened', label: 'Opened' },
  { state: 'told', label: 'Told' },
  { state: 'none', label: 'Not told' },
]

/** Says what a tester did with a build. Filters of mail servers open links as people do, so only an install is firm. */
export function describeState({ state, mailState, toldDate }: BuildTester): string {
  if (state === 'installed') return 'installed'
  if (state === 'opened') return 'opened, perhaps by a mail filter'
  if (toldDate === null) return 'not told'
  if (mailState === 'failed') return 'the mail failed'
  return mailState === 'waiting' ? 'the mail waits' : 'told'
}

/** Names the state in a word or two. Whose mail is not on its way yet was not told. */
export function toStateLabel({ state, mailState }: Pick<BuildTester, 'state' | 'mailState'>): string {
  if (state === 'told' && mailState === 'waiting') return 'Mail waits'
  if (state === 'told' && mailState === 'failed') return 'Mail failed'
  return testerStates.find((one) => one.state === state)?.label ?? state
}

const pauseMs = 24 * 60 * 60 * 1000

/** Whether a reminder would reach the tester. The server also counts reminders, which are three at most. */
export function isRemindable({ state, groups, isUnsubscribed, remindedDate }: BuildTester): boolean {
  if (state === 'installed' || groups.length === 0 || isUnsubscribed) return false
  return remindedDate === null || Date.parse(remindedDate) < Date.now() - pauseMs
}
