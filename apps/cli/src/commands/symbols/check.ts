import { resolve } from 'node:path'
import { readImages } from '@fairlead/binary'
import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { jsonFlag, type JsonFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { writeResult } from '../../output/write.ts'
import { toImageLabel } from '../../symbols/bundle-identity.ts'
import { type FoundImage, listFoundImages } from '../../symbols/list-found-images.ts'

interface Flags extends JsonFlag {
  readonly for?: string
}

export const command = buildCommand<Flags, string[], CliContext>({
  docs: {
    brief: 'Show the symbols on this machine, and whether a build has all of its symbols, without a server',
    fullDescription: 'fairlead symbols check Shop.xcarchive --for Shop.ipa',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        brief: '.xcarchive, folder, dSYM, zip of dSYMs, mapping.txt, library or source map',
        placeholder: 'path',
        parse: String,
      },
      minimum: 1,
    },
    flags: { for: textFlag('APK or IPA whose images must have symbols', 'file'), ...jsonFlag },
  },
  func(flags, ...paths) {
    return checkSymbols(this.io, flags, paths)
  },
})

async function checkSymbols(io: Io, flags: Flags, paths: readonly string[]): Promise<void> {
  const found = await listFoundImages(paths.map((path) => resolve(io.cwd, path)))
  const needed = flags.for === undefined ? [] : await readImages(resolve(io.cwd, flags.for))
  const known = new Set(found.flatMap(({ uuid }) => uuid?.toLowerCase() ?? []))
  const bundles = new Set(found.flatMap(({ kind, name }) => (kind === 'sourcemap' ? name : [])))
  // A bundle of JavaScript without a debug id is known by its name alone.
  const missing = needed.filter(({ name, uuid }) => !(uuid === '' ? bundles.has(name) : known.has(uuid.toLowerCase())))
  writeResult(io, flags.json, { images: found, missing }, () => writeImages(io, found))
  if (missing.length > 0) {
    throw new CliError('incomplete', `Symbols are missing: ${missing.map(toImageLabel).join(', ')}`)
  }
  if (found.length === 0) throw new CliError('notFound', 'There are no symbols here')
}

function writeImages(io: Io, images: readonly FoundImage[]): void {
  writeTable(io, images, [
    { title: 'KIND', value: ({ kind }) => kind },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'UUID', value: ({ uuid }) => uuid },
    { title: 'ARCHITECTURE', value: ({ architecture }) => architecture },
    { title: 'FILE', value: ({ path }) => path },
  ])
}
