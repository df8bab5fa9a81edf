import { resolve } from 'node:path'
import { type AppImage, type AppInfo, readImages } from '@fairlead/binary'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { readAppFile } from '../files/read-app-file.ts'
import { jsonFlag, type JsonFlag, switchFlag, textArgument } from '../flags.ts'
import type { Io } from '../io.ts'
import { writeFields, writeResult, writeWarning } from '../output/write.ts'

interface Flags extends JsonFlag {
  readonly noVerify: boolean
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: { brief: 'Show the metadata of an APK or IPA, without a server' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('The .apk or .ipa', 'file')] },
    flags: { noVerify: switchFlag('Do not verify the signature, which reads the whole file'), ...jsonFlag },
  },
  func(flags, file) {
    return inspectFile(this.io, flags, file)
  },
})

async function inspectFile(io: Io, { json, noVerify }: Flags, file: string): Promise<void> {
  const path = resolve(io.cwd, file)
  const app = await readAppFile(file, path, { verify: !noVerify })
  const images = await readImages(path)
  writeResult(io, json, { ...app, images }, () => writeApp(io, app, images))
}

function writeApp(io: Io, app: AppInfo, images: readonly AppImage[]): void {
  const { signing } = app
  const { profile } = signing
  writeFields(io, [
    ['App', app.name],
    ['Identifier', app.bundleIdentifier],
    ['Version', `${app.shortVersion ?? '?'} (${app.version ?? '?'})`],
    ['Platform', app.platform],
    [
      'OS',
      [app.minOsVersion && `from ${app.minOsVersion}`, app.targetOsVersion && `made for ${app.targetOsVersion}`]
        .filter(Boolean)
        .join(', '),
    ],
    ['Devices', app.deviceFamilies.join(', ')],
    ['Architectures', app.architectures.join(', ')],
    ['Debuggable', app.debuggable ? 'yes' : 'no'],
    ['Signature', signing.integrity],
    ...signing.certificates.map(
      ({ scheme, subject, sha256 }) => [`Certificate ${scheme}`, `${subject || '?'} ${sha256}`] as const,
    ),
    ['Profile', profile && `${profile.type} ${profile.name ?? ''} of ${profile.teamName ?? profile.teamId ?? '?'}`],
    ['Profile ends', profile?.expirationDate ?? null],
    ['Devices allowed', profile && profile.deviceCount > 0 ? profile.deviceCount : null],
    ...app.nested.map(({ path, bundleIdentifier }) => ['Contains', `${bundleIdentifier ?? '?'} (${path})`] as const),
    ['Permissions', app.permissions.join(', ')],
    ...images.map(({ name, uuid, architecture }) => ['Image', `${uuid} ${architecture ?? ''} ${name}`] as const),
  ])
  for (const warning of app.warnings) writeWarning(io, warning)
}
