import type { Application, MissingSymbols } from '@fairlead/contract'

const files: Record<MissingSymbols['kind'], string> = {
  proguard: 'mapping.txt',
  dsym: 'App.xcarchive',
  elf: 'native-debug-symbols.zip',
  sourcemap: 'index.android.bundle.map',
  dartmap: 'build/symbols obfuscation-map.json',
}

/** Writes the command that uploads what is missing. Only files that do not name their release need it named. */
export function toUploadLine({ alias }: Pick<Application, 'alias'>, missing: MissingSymbols): string {
  const { kind, package: packageName, shortVersion, version } = missing
  const release =
    kind === 'proguard' || kind === 'sourcemap'
      ? [
          ['package', packageName],
          ['version-name', shortVersion],
          ['version-code', version],
        ]
      : []
  const flags = release.flatMap(([flag, value]) => (value === null ? [] : [`--${flag} ${quote(String(value))}`]))
  return [`fairlead symbols upload ${files[kind]} --app ${alias}`, ...flags].join(' \\\n  ')
}

/** The release is text of strangers, so a shell must not read anything in it. */
function quote(text: string): string {
  return /^[\w.@%+,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
