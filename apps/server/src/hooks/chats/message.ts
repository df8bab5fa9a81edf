import { toCleanName } from '@fairlead/contract'
import type { StoredEvent } from '../../db/schema/hooks.ts'
import { cutText, type Payload } from '../standard-body.ts'

/** What all chats show of an event. The texts are clean, short and not escaped yet. */
export interface ChatMessage {
  title: string
  facts: { label: string; value: string }[]
  /** Words of people, with line ends; null if there are none or the hook leaves them out. */
  notes: string | null
  buttons: { text: string; url: string }[]
}

const titleLength = 140
const valueLength = 200
const notesLength = 2000
const maxListed = 10

/** Makes the message of an event from what the hook includes of it. */
export function toMessage(payload: Payload, event: StoredEvent): ChatMessage {
  const { links, ...rest } = payload.data
  const data: Record<string, unknown> = rest
  const text = (name: string) => toLine(data[name])
  const app = toLine(event.applicationName) ?? 'Fairlead'
  const title = toTitle(payload.type, app, text)
  const facts = labels.flatMap(([name, label]) => {
    const value = text(name)
    return value === null ? [] : [{ label, value }]
  })
  const notes = toNotes(data['releaseNotes'] ?? data['text'])
  const buttons = [
    { text: 'Open', url: links.page },
    ...(links.install === undefined ? [] : [{ text: 'Install', url: links.install }]),
  ]
  return { title: cutText(title, titleLength), facts, notes, buttons }
}

const labels: readonly (readonly [string, string])[] = [
  ['branch', 'Branch'],
  ['commit', 'Commit'],
  ['culprit', 'In'],
  ['crashCount', 'Crashes'],
  ['distributionGroups', 'Groups'],
  ['notifiedCount', 'Notified testers'],
  ['result', 'Result'],
  ['suite', 'Suite'],
  ['class', 'Class'],
  ['value', 'Value'],
  ['threshold', 'Threshold'],
  ['windowMinutes', 'Minutes'],
  ['trashedCount', 'Builds'],
  ['pictureCount', 'Pictures'],
  ['tester', 'Tester'],
  ['uploadedBy', 'Uploaded by'],
]

function toTitle(type: Payload['type'], app: string, text: (name: string) => string | null): string {
  const platform = text('platform') === null ? '' : text('platform') === 'ios' ? ' for iOS' : ' for Android'
  const number = text('version') === text('shortVersion') || text('version') === null ? '' : ` (${text('version')})`
  const version = text('shortVersion') === null ? '' : ` ${text('shortVersion')}${number}`
  const build = `${app}${version}${platform}`
  const branch = text('branch') === null ? '' : ` of ${text('branch')}`
  const titles: Record<Payload['type'], string> = {
    'build.uploaded': `${build} was uploaded`,
    'build.distributed': `${build} was distributed`,
    'build.deleted': `${build} was deleted`,
    'build.restored': `${build} was restored`,
    'symbols.uploaded': `${app}: symbols${version === '' ? '' : ` of${version}`} were uploaded`,
    'install.recorded': `${app} was installed`,
    'feedback.received': `${app}: feedback has come`,
    'crashGroup.created': `${app}: new crash: ${text('title') ?? ''}`,
    'crashGroup.regressed': `${app}: a crash is back: ${text('title') ?? ''}`,
    'crashGroup.spiked': `${app}: a crash spikes: ${text('title') ?? ''}`,
    'testRun.completed': `${app}: tests${branch}: ${text('result') ?? ''}`,
    'testRun.verdictChanged': `${app}: tests${branch} changed from ${text('from') ?? ''} to ${text('to') ?? ''}`,
    'test.becameFlaky': `${app}: a test became flaky: ${text('name') ?? ''}`,
    'retention.finished': `${app}: old builds were moved to the trash`,
    'alert.fired': `${app}: ${text('title') ?? text('kind') ?? 'alert'}`,
    'hook.test': 'Fairlead: this is a test',
  }
  return titles[type]
}

/** Turns a fact into one line; null if there is nothing to show. */
function toLine(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') {
    const clean = toCleanName(value.replace(/\s+/g, ' ')).trim()
    return clean === '' ? null : cutText(clean, valueLength)
  }
  if (Array.isArray(value)) {
    const names = value.slice(0, maxListed).flatMap((item: unknown) => toLine(item) ?? [])
    return names.length === 0 ? null : cutText(names.join(', '), valueLength)
  }
  if (typeof value !== 'object' || value === null) return null
  if ('name' in value) return toLine(value.name)
  return 'email' in value ? toLine(value.email) : null
}

function toNotes(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const lines = value.split(/\r\n|\r|\n/).map((line) => toCleanName(line.replaceAll('\t', ' ')))
  const text = cutText(lines.join('\n').trim(), notesLength)
  return text === '' ? null : text
}
