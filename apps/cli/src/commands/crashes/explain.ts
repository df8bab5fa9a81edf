import type { Client } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { formatInstant } from '../../output/units.ts'
import { writeFields, writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

type Explanation = Awaited<ReturnType<Client['crashes']['explain']>>
type Suspect = Explanation['suspects'][number]

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: {
    brief: 'Say where a crash group crashes, since which build, and which commits may have caused it',
    fullDescription: [
      'Joins what builds, symbols, tests, owners and commits know of a crash group. Commits come with builds that',
      '"fairlead builds upload" sends from CI.',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the crash group')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return explainGroup(this.io, flags, id)
  },
})

async function explainGroup(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const explanation = await client.crashes.explain(id)
  writeResult(io, flags.json, explanation, () => writeExplanation(io, explanation))
}

function writeExplanation(io: Io, explanation: Explanation): void {
  const { untrusted, crashGroupId, crashCount, installCount, introduced, owners, suspects, tests } = explanation
  const [cause] = explanation.crash?.untrusted.exceptions.slice(-1) ?? []
  writeFields(io, [
    ['Group', `${crashGroupId}, ${explanation.kind}, ${explanation.status}`],
    ['Title', untrusted.title],
    ['Message', cause?.message ?? null],
    ['Crashes', `${crashCount} on ${installCount} installs, last ${formatInstant(explanation.lastSeenDate)}`],
    ['Where', toPlace(explanation)],
    ['Owners', owners.flatMap((file) => file.untrusted.owners).join(' ')],
    ['Since', toBeginning(introduced)],
    ['Tests', tests.map((test) => test.untrusted.name).join(', ')],
  ])
  if (suspects.length > 0) writeLine(io, '\nSuspect commits')
  for (const suspect of suspects) writeSuspect(io, suspect)
  if (explanation.next.length > 0) writeLine(io)
  for (const sentence of explanation.next) writeLine(io, toShownLine(sentence))
}

function toPlace({ location }: Explanation): string | null {
  if (!location) return null
  const { path, file, function: name } = location.untrusted
  return `${path ?? file ?? ''}:${location.line}${name === null ? '' : ` in ${name}`}`
}

function toBeginning({ buildId, previousBuildId, isCertain }: Explanation['introduced']): string | null {
  if (buildId === null) return null
  const before = previousBuildId === null ? '' : `, after build ${previousBuildId}`
  return `build ${buildId}${before}${isCertain ? '' : '; maybe earlier'}`
}

const reasons: Record<Suspect['reasons'][number]['code'], (line: number | null) => string> = {
  line: (line) => `changed line ${line ?? '?'}`,
  file: () => 'changed the file of the crash',
  fileName: () => 'changed a file of that name',
  directory: () => 'changed a file of that folder',
}

function writeSuspect(io: Io, { rank, commit, date, untrusted, reasons: found }: Suspect): void {
  const [first] = found
  const why = first ? reasons[first.code](first.line) : ''
  const what = [untrusted.subject, untrusted.author].filter((text) => text !== null).join(', ')
  writeLine(io, toShownLine(`  ${rank}. ${commit.slice(0, 12)}  ${formatInstant(date)}  ${why}  ${what}`.trimEnd()))
  for (const path of untrusted.paths) writeLine(io, toShownLine(`     ${path}`))
}
