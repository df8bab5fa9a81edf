import type { Hook, HookDelivery, HookEventType, HookFormat, HookInclude } from '@fairlead/contract'

export const formatNames: Record<HookFormat, string> = {
  standard: 'Signed JSON (Standard Webhooks)',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  googleChat: 'Google Chat',
  feishu: 'Feishu or Lark',
  mattermost: 'Mattermost',
}

export const includeNames: Record<HookInclude, string> = {
  installLinks: 'Install links: whoever reads the message can install',
  texts: 'Release notes and feedback',
  people: 'E-mail addresses of testers and names of members',
}

/** The events that can be chosen; a test is sent by hand. */
export const eventNames: Record<Exclude<HookEventType, 'hook.test'>, string> = {
  'build.uploaded': 'Build uploaded',
  'build.distributed': 'Build distributed',
  'build.deleted': 'Build deleted',
  'build.restored': 'Build restored',
  'symbols.uploaded': 'Symbols uploaded',
  'install.recorded': 'Build installed or downloaded (comes in bursts)',
  'feedback.received': 'Feedback received',
  'crashGroup.created': 'New crash group',
  'crashGroup.regressed': 'Crash group regressed',
  'crashGroup.spiked': 'Crash group spikes',
  'testRun.completed': 'Test run completed',
  'testRun.verdictChanged': 'Verdict of a branch changed',
  'test.becameFlaky': 'Test became flaky',
  'retention.finished': 'Old builds removed',
  'alert.fired': 'Alert fired',
}

export interface HookState {
  label: string
  color: string
}

/** Says how a hook does: it is off, its last delivery failed, or all is well. */
export function toHookState(hook: Hook): HookState {
  const { isEnabled, disabledReason, lastFailureDate, lastSuccessDate } = hook
  if (!isEnabled) {
    const reasons = { hand: 'Off', gone: 'Off: its receiver is gone', failing: 'Off: it kept failing' }
    return { label: reasons[disabledReason ?? 'hand'], color: 'gray' }
  }
  if (lastFailureDate !== null && (lastSuccessDate === null || lastFailureDate > lastSuccessDate)) {
    return { label: 'Failing', color: 'red' }
  }
  return lastSuccessDate === null ? { label: 'Nothing sent yet', color: 'gray' } : { label: 'Fine', color: 'green' }
}

export const deliveryStates: Record<HookDelivery['state'], HookState> = {
  waiting: { label: 'Waiting', color: 'gray' },
  succeeded: { label: 'Delivered', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  stopped: { label: 'Stopped', color: 'gray' },
}

const errors: Record<NonNullable<HookDelivery['lastError']>, string> = {
  addressRefused: 'the address leads into the network of the server',
  dns: 'the name cannot be resolved',
  connect: 'nobody answers at the address',
  tls: 'no secure connection',
  timeout: 'no answer in time',
  reset: 'the connection broke',
  redirect: 'it redirects elsewhere',
  status: 'it answered with an error',
  refusedByChat: 'the chat refused the message',
}

/** Says what the last attempt of a delivery met. */
export function toOutcome(status: number | null, error: HookDelivery['lastError']): string | null {
  if (error === null) return status === null ? null : `Answered ${status}`
  return status === null ? `Failed: ${errors[error]}` : `Failed: ${errors[error]} (${status})`
}
