import { resolve } from 'node:path'
import type { Client } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { type Application, requireApplication } from '../../lookups/application.ts'
import { toVersion } from '../../output/build.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult, writeWarning } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { planSymbols, type SymbolsPlanFlags } from '../../symbols/plan-symbols.ts'
import { toImageLabel } from '../../symbols/bundle-identity.ts'
import { sendSymbols } from '../../symbols/send-symbols.ts'

interface Flags extends RemoteFlags, SymbolsPlanFlags {
  readonly app: string
  readonly dryRun: boolean
}

export const command = buildCommand<Flags, string[], CliContext>({
  docs: {
    brief: 'Upload dSYMs, mappings, native libraries, symbols of Dart and maps; the server is asked what it lacks',
    fullDescription: [
      'Finds dSYMs in an .xcarchive or a folder and packs them itself; finds mapping.txt, native-debug-symbols.zip and',
      'libraries with symbols in a Gradle project, and *.symbols in the folder of --split-debug-info.',
      '',
      '  fairlead symbols upload Shop.xcarchive --app shop-ios',
      '  fairlead symbols upload . --app shop --flavor paidRelease',
      '  fairlead symbols upload mapping.txt --app shop --for app-release.apk',
      '  fairlead symbols upload build/symbols obfuscation-map.json --app shop',
      '  fairlead symbols upload index.android.bundle.map --app shop --for app-release.apk',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        brief: '.xcarchive, folder, dSYM, zip, mapping.txt, .so, .symbols, map or project',
        placeholder: 'path',
        parse: String,
      },
      minimum: 1,
    },
    flags: {
      app: requiredAppFlag,
      flavor: textFlag('Build variant of a Gradle project, such as paidRelease', 'variant'),
      for: textFlag('APK, or id of the build, that a mapping is of', 'file|id'),
      package: textFlag('Package name that a mapping is of', 'name'),
      versionName: textFlag('Version name that a mapping is of', 'name'),
      versionCode: textFlag('Version code that a mapping is of', 'code'),
      debugId: textFlag('Debug id of the symbols that an obfuscation map belongs to', 'id'),
      bundleName: textFlag('Name of the bundle that a source map is of', 'name'),
      all: switchFlag('Send what the server has too'),
      dryRun: switchFlag('Only say what would be sent'),
      ...remoteFlags,
    },
  },
  func(flags, ...paths) {
    return uploadSymbols(this.io, flags, paths)
  },
})

async function uploadSymbols(io: Io, flags: Flags, paths: readonly string[]): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const resolved = paths.map((path) => resolve(io.cwd, path))
  const plan = await planSymbols(io, client, application, flags, resolved)
  if (!flags.dryRun) await sendSymbols(io, client, application, plan)
  const named = [...plan.archives, ...plan.mappings, ...plan.dartMaps, ...plan.sourceMaps].map(({ path }) => path)
  const sent = [...plan.dsyms, ...plan.libraries, ...named]
  const missing = await listMissing(io, client, application)
  writeResult(io, flags.json, { dryRun: flags.dryRun, sent, skipped: plan.skipped, missing }, () => {
    for (const path of sent) writeLine(io, toShownLine(`${flags.dryRun ? 'would send' : 'sent'}  ${path}`))
    for (const path of plan.skipped) writeLine(io, toShownLine(`there  ${path}`))
  })
  if (flags.json || missing === null) return
  for (const image of missing.images) writeWarning(io, `${missing.build} still lacks ${toImageLabel(image)}`)
}

/** Lists the images of the newest build without symbols; null if it has no images. */
async function listMissing(io: Io, client: Client, { id }: Application) {
  const { items } = await client.builds.listPage(id, { limit: 1 }, { signal: io.signal })
  const [build] = items
  if (!build?.symbols) return null
  return { build: `build ${build.id}, ${toVersion(build)},`, images: build.symbols.missing }
}
