import { type Client, UploadAborted } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import { readCiEnvironment } from '../../ci/ci-environment.ts'
import { writeOutputs } from '../../ci/write-outputs.ts'
import { CliError } from '../../cli-error.ts'
import { commitFlags } from '../../commits/commit-flags.ts'
import { sendCommitsOfUpload, type UploadedCommitFlags } from '../../commits/send-with-upload.ts'
import type { CliContext } from '../../context.ts'
import { appFlag, listFlag, remoteFlags, type RemoteFlags, switchFlag, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { type Build, toVersion } from '../../output/build.ts'
import { openProgress } from '../../output/progress.ts'
import { writeQrCode } from '../../output/qr-code.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { formatBytes } from '../../output/units.ts'
import { writeFields, writeLine, writeNote, writeResult, writeWarning } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { createJobKey } from '../../uploads/job-key.ts'
import { planUpload, type UploadFlags, type UploadPlan } from '../../uploads/upload-plan.ts'
import { sendSymbols } from '../../symbols/send-symbols.ts'

interface Flags extends RemoteFlags, UploadFlags, UploadedCommitFlags {
  readonly idempotencyKey?: string
  readonly dotenv?: string
  readonly noQr: boolean
  readonly dryRun: boolean
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: {
    brief: 'Upload a build, with its notes, and give it to testers',
    fullDescription: [
      'Uploads an APK or IPA, sets its release notes and distributes it, in one go. The file, the token, the',
      'application and the groups are checked before a byte is sent. Branch, commit and job come from the variables',
      'of the CI service.',
      '',
      '  fairlead builds upload app.apk --app shop --mapping mapping.txt --group QA --notify',
      '  fairlead builds upload Shop.ipa --app shop-ios --dsym Shop.xcarchive',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('The .apk or .ipa', 'file')] },
    flags: {
      app: { ...appFlag, brief: 'Alias of the application; found by the identifier in the file unless given' },
      mapping: textFlag('Mapping of R8 or ProGuard, uploaded with the build', 'file'),
      dsym: listFlag('dSYM, .xcarchive, zip or folder, uploaded with the build; may be given several times', 'path'),
      notes: textFlag('Release notes, in Markdown', 'text'),
      notesFile: textFlag('File with the release notes; - is standard input', 'file'),
      group: listFlag('Name of a group that gets the build; may be given several times', 'name'),
      notify: switchFlag('Send the testers of the groups a mail'),
      branch: textFlag('Branch, where CI does not say it', 'name'),
      commit: textFlag('Commit, where CI does not say it', 'hash'),
      ciUrl: textFlag('Page of the job, where CI does not say it', 'url'),
      commits: {
        kind: 'parsed',
        parse: parseCommits,
        brief: 'Send the commits since the build before, from Git: auto (the default on CI), off, or A..B',
        optional: true,
        placeholder: 'auto|off|A..B',
      },
      ...commitFlags,
      idempotencyKey: textFlag(
        'A second upload with the same key gives the first build; a repeated CI job has one',
        'key',
      ),
      dotenv: textFlag('File to append FAIRLEAD_BUILD_ID and FAIRLEAD_INSTALL_URL to', 'file'),
      noQr: switchFlag('Show no QR code'),
      dryRun: switchFlag('Check everything, send nothing'),
      ...remoteFlags,
    },
  },
  func(flags, file) {
    return uploadBuild(this.io, flags, file)
  },
})

function parseCommits(text: string): string {
  if (text === 'auto' || text === 'off' || text.includes('..')) return text
  throw new SyntaxError(`${JSON.stringify(text)} is neither auto nor off, nor a range of commits such as A..B`)
}

async function uploadBuild(io: Io, flags: Flags, file: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const plan = await planUpload(io, client, flags, file)
  if (flags.dryRun) {
    writeResult(io, flags.json, toPlanResult(plan), () => writePlan(io, plan))
    return
  }
  const idempotencyKey = flags.idempotencyKey ?? (await createJobKey(io, plan))
  const build = await finish(io, client, plan, await sendBinary(io, client, plan, idempotencyKey))
  const commits = await sendCommitsOfUpload(io, client, build, flags)
  const outputs = { 'build-id': String(build.id), 'install-url': build.installUrl, version: build.version }
  await writeOutputs(io, outputs, { dotenvFile: flags.dotenv })
  const pullRequest = readCiEnvironment(io.env)?.pullRequest ?? null
  writeResult(io, flags.json, { ...build, pullRequest, commits }, () => writeUploaded(io, build))
  if (!flags.json && !flags.noQr) await writeQrCode(io, build.installUrl)
}

async function sendBinary(io: Io, client: Client, plan: UploadPlan, idempotencyKey?: string): Promise<Build> {
  const { path, fileName, application, source } = plan
  writeNote(io, toShownLine(`Uploading ${fileName} (${formatBytes(plan.size)}) to ${application.alias}`))
  const progress = await openProgress(io, 'Sent')
  try {
    const build = await client.builds.upload({
      alias: application.alias,
      file: path,
      fileName,
      source,
      idempotencyKey,
      signal: io.signal,
      onProgress: progress.update,
    })
    progress.finish()
    return build
  } catch (error) {
    throw io.signal.aborted ? explainInterruption(error) : error
  } finally {
    progress.stop()
  }
}

/** Says what the interrupted upload left on the server. */
function explainInterruption(error: unknown): CliError {
  if (!(error instanceof UploadAborted)) return new CliError('interrupted', 'Interrupted; no build was made')
  const { build } = error
  if (build) {
    return new CliError('interrupted', `Interrupted, but the server had all bytes and made build ${build.id}`, {
      fix: `Keep it, or delete it with "fairlead builds delete ${build.id}".`,
    })
  }
  return new CliError('interrupted', 'Interrupted; the server had all bytes and did not say whether it made a build', {
    fix: 'Look for it with "fairlead builds list".',
  })
}

/** Uploads the symbols, sets the notes and distributes. If that fails, the build exists, and the error says so. */
async function finish(io: Io, client: Client, plan: UploadPlan, build: Build): Promise<Build> {
  const { notes, groups, notify, symbols } = plan
  const call = { signal: io.signal }
  const id = build.id
  try {
    if (symbols) await sendSymbols(io, client, plan.application, symbols)
    if (notes !== undefined) await client.builds.setReleaseNotes(id, notes, call)
    if (groups.length > 0) {
      const distributionGroupIds = groups.map((group) => group.id)
      await client.builds.distribute(id, { distributionGroupIds, notifyTesters: notify }, call)
    }
    return notes === undefined && groups.length === 0 && !symbols ? build : await client.builds.get(id, call)
  } catch (cause) {
    throw new CliError(
      io.signal.aborted ? 'interrupted' : 'incomplete',
      `Build ${id} was uploaded, but its symbols, its notes or its distribution failed`,
      {
        cause,
        fix: `Finish it with "fairlead builds notes ${id}" and "fairlead builds distribute ${id}".`,
      },
    )
  }
}

function writeUploaded(io: Io, build: Build): void {
  writeFields(io, [
    ['Build', `${build.id}, ${build.name} ${toVersion(build)} (${build.applicationAlias})`],
    ['Groups', build.distributionGroups.map(({ name }) => name).join(', ')],
    ['Symbols', build.symbols && `${build.symbols.present} of ${build.symbols.expected} images`],
    ['Install', build.installUrl],
  ])
  for (const warning of build.warnings) writeWarning(io, warning)
}

function listSymbols({ symbols }: UploadPlan): string[] {
  if (!symbols) return []
  return [...symbols.dsyms, ...[...symbols.archives, ...symbols.mappings].map(({ path }) => path)]
}

function toPlanResult(plan: UploadPlan) {
  const { app, application, fileName, size, groups, notify, notes, source } = plan
  const { bundleIdentifier, shortVersion, version, platform } = app
  return {
    dryRun: true,
    application: application.alias,
    fileName,
    size,
    app: { bundleIdentifier, shortVersion, version, platform },
    groups: groups.map(({ name }) => name),
    symbols: listSymbols(plan),
    notify,
    notes: notes ?? null,
    source,
  }
}

function writePlan(io: Io, plan: UploadPlan): void {
  const { app, application, fileName, size, groups, notify, notes, source } = plan
  writeLine(io, 'Nothing was sent. This would happen:')
  writeFields(io, [
    ['Upload', `${fileName}, ${formatBytes(size)}, to ${application.alias}`],
    ['App', `${app.bundleIdentifier} ${app.shortVersion ?? ''} (${app.version ?? ''})`],
    ['Notes', notes === undefined ? null : `${notes.length} characters`],
    ['Groups', groups.map(({ name }) => name).join(', ')],
    ['Symbols', listSymbols(plan).join(', ')],
    ['Mail', notify ? 'to the testers of the groups' : null],
    ['Branch', source.branch ?? null],
    ['Commit', source.commit ?? null],
    ['CI job', source.ciUrl ?? null],
  ])
  for (const warning of app.warnings) writeWarning(io, warning)
}
