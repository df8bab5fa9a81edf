import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import type { Feedback } from '@fairlead/client'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine, toShownText } from '../../output/shown-text.ts'
import { formatInstant } from '../../output/units.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession, type Session } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly pictures?: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Show what somebody wrote of a build, and save the pictures' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the feedback')] },
    flags: { pictures: textFlag('Save the pictures to this folder', 'folder'), ...remoteFlags },
  },
  func(flags, id) {
    return showFeedback(this.io, flags, id)
  },
})

async function showFeedback(io: Io, { pictures: folder, ...flags }: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const feedback = await client.feedback.get(id, { signal: io.signal })
  const saved = folder === undefined ? [] : await savePictures(io, client, feedback, folder)
  writeResult(io, flags.json, feedback, () => {
    const { tester, contact, userAgent } = feedback
    writeLine(io, `Feedback ${id} to build ${feedback.buildId}, ${feedback.status}`)
    writeLine(io, `Created: ${formatInstant(feedback.createdDate)}`)
    if (tester) writeLine(io, toShownLine(`Tester: ${tester.name ?? ''} <${tester.email}>`))
    if (contact !== null) writeLine(io, toShownLine(`Contact: ${contact}`))
    if (userAgent !== null) writeLine(io, toShownLine(`Browser: ${userAgent}`))
    for (const { url, width, height } of feedback.pictures) writeLine(io, `Picture: ${url} (${width} × ${height})`)
    for (const path of saved) writeLine(io, `Saved: ${toShownLine(path)}`)
    writeLine(io, '')
    writeLine(io, toShownText(feedback.text))
  })
}

async function savePictures(
  io: Io,
  client: Session['client'],
  { id, pictures }: Feedback,
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  for (const [index, { contentType }] of pictures.entries()) {
    const answer = await client.feedback.openPicture(id, index + 1, { signal: io.signal })
    const path = join(
      folder,
      `feedback-${id}-${index + 1}.${contentType === 'image/jpeg' ? 'jpg' : contentType.slice(6)}`,
    )
    if (answer.body === null)
      throw new CliError('noAnswer', `Picture ${index + 1} of feedback ${id} came without bytes`)
    await writeFile(path, answer.body)
    paths.push(path)
  }
  return paths
}
