import type { AuditEvent } from '@fairlead/contract'
import { formatInstant } from '../ui/format.ts'

/** The things that actions are about, in words. */
const nouns: Record<string, string> = {
  account: 'an account',
  alertRule: 'an alert rule',
  apiToken: 'an API token',
  appStoreConnect: 'the key of App Store Connect',
  application: 'an application',
  badge: 'a badge',
  build: 'a build',
  codeOwners: 'the owners of tests',
  crashGroup: 'a crash group',
  crashKey: 'a crash key',
  crashRules: 'the grouping rules of crashes',
  device: 'a device',
  distributionGroup: 'a group',
  feedback: 'feedback',
  groupRoles: 'the roles of a provider’s groups',
  hook: 'a hook',
  installLink: 'an install link',
  invitation: 'an invitation',
  latestLink: 'a latest link',
  member: 'a member',
  quarantine: 'a quarantine',
  release: 'a release',
  retention: 'the retention rules',
  symbolsFile: 'a symbols file',
  test: 'a test',
  testReport: 'a test report',
  testRun: 'a test run',
  testSplit: 'a test split',
  tester: 'a tester',
  workspace: 'the workspace',
}

const verbs: Record<string, string> = {
  add: 'added',
  complete: 'completed',
  create: 'created',
  delete: 'deleted',
  deploy: 'deployed',
  distribute: 'distributed',
  export: 'exported',
  merge: 'merged',
  redeliver: 'sent again a delivery of',
  register: 'registered',
  remind: 'reminded',
  remove: 'removed',
  renew: 'renewed',
  replace: 'replaced',
  restore: 'restored',
  revoke: 'revoked',
  rotateSecret: 'renewed the secret of',
  save: 'saved',
  split: 'split',
  test: 'tried',
  undiscard: 'stopped discarding',
  update: 'changed',
  updateMany: 'changed many of',
  upload: 'uploaded',
  withdraw: 'took back from a group',
}

/** Actions whose words are not a verb with a noun. */
const sentences: Record<string, string> = {
  'account.resetPassword': 'set a new password',
  'application.createFromFile': 'created an application from a file',
  'build.commits': 'sent the commits of a build',
  'crash.deleteByInstall': 'deleted the crashes of an installation',
  'crashGroup.comment': 'commented on a crash group',
  'crashGroup.updateMany': 'changed several crash groups',
  'identity.unlink': 'unlinked an account from its provider',
  'invitation.create': 'invited a member',
  'loginRequest.approve': 'let a command line log in',
  'loginRequest.refuse': 'refused a login of a command line',
  'mail.discardHeld': 'discarded held mails',
  'mail.retry': 'tried to send a mail again',
  'mail.sendHeld': 'sent held mails',
  'mail.test': 'sent a test mail',
  'member.join': 'joined the workspace',
  'retention.emptyTrash': 'emptied the trash',
  'retention.run': 'ran the retention rules',
  'retention.undo': 'undid a run of the retention rules',
  'session.end': 'signed out',
  'session.endAll': 'signed out everywhere',
  'session.endOne': 'signed out another browser',
  'session.refuse': 'was refused a sign-in',
  'session.start': 'signed in',
  'tester.removeFromGroup': 'removed a tester from a group',
  'tester.renewLink': 'gave a tester a new page address',
  'twoFactor.disable': 'turned two-factor sign-in off',
  'twoFactor.enable': 'turned two-factor sign-in on',
  'twoFactor.renewCodes': 'made new recovery codes',
}

/** Says an action in words: `distributed a build`. An action that has no words here is said by its name. */
export function describeAction(action: string): string {
  const sentence = sentences[action]
  if (sentence !== undefined) return sentence
  const [thing = '', verb = ''] = action.split('.')
  const [noun, done] = [nouns[thing], verbs[verb]]
  return noun === undefined || done === undefined ? action : `${done} ${noun}`
}

type OwnKind = 'application' | 'build' | 'group' | 'hook'
type KindOfApplication = 'crashGroup' | 'test' | 'testRun'

/** The thing that an event is about. The address of some things' pages also needs their application. */
export type Subject = { kind: OwnKind; id: number } | { kind: KindOfApplication; id: number; applicationId: number }

const paths: Record<string, OwnKind | KindOfApplication> = {
  applications: 'application',
  builds: 'build',
  crashGroups: 'crashGroup',
  distributionGroups: 'group',
  hooks: 'hook',
  tests: 'test',
  testRuns: 'testRun',
}

/** Finds what an event is about, if that has a page: by its address, or by the id of what was created. */
export function findSubject({
  action,
  target,
  details,
}: Pick<AuditEvent, 'action' | 'target' | 'details'>): Subject | null {
  const [, resource = '', id, rest] = /^\/v\d+\/(\w+)(?:\/(\d+)(\/.*)?)?$/.exec(target ?? '') ?? []
  const kind = paths[resource]
  if (kind === undefined || (action.endsWith('.delete') && rest === undefined)) return null
  const number = id === undefined ? details['id'] : Number(id)
  if (typeof number !== 'number') return null
  if (kind !== 'crashGroup' && kind !== 'test' && kind !== 'testRun') return { kind, id: number }
  const { applicationId } = details
  return typeof applicationId === 'number' ? { kind, id: number, applicationId } : null
}

/** The name that an event itself holds of what it is about. */
export function findName({ details }: Pick<AuditEvent, 'details'>): string | null {
  const { shortVersion, version, title, name, email } = details
  if (typeof shortVersion === 'string' && typeof version === 'string') return `${shortVersion} (${version})`
  return [title, name, email].find((one) => typeof one === 'string') ?? null
}

/** Fields that are not listed, because the name or the link in the event's line shows them already. */
const saidAlready = new Set(['id', 'applicationId', 'title'])

/** The facts of an event that its line does not say: `status: resolved`. */
export function listFacts(event: Pick<AuditEvent, 'details'>): string[] {
  const name = findName(event)
  return Object.entries(event.details)
    .filter(([key, value]) => !saidAlready.has(key) && value !== null && value !== name)
    .map(([key, value]) => [key, toText(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key}: ${text}`)
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Dates as on every other page, lists without brackets. An empty list says nothing. */
function toText(value: unknown): string {
  if (typeof value === 'string') return isoInstant.test(value) ? formatInstant(value) : value
  return Array.isArray(value) ? value.map(toText).join(', ') : JSON.stringify(value)
}
