import { buildImportCommand } from '../../moving/import-command.ts'
import { parseAppCenterRelease } from '../../moving/release-record.ts'

export const command = buildImportCommand({
  brief: 'Import an export of Visual Studio App Center',
  fullDescription: [
    'Reads a folder with the binaries of releases, and files of JSON with the releases as the API gave them, in any',
    'layout. A binary and its release are matched by the MD5 fingerprint, or by identifier and version. Notes,',
    'branch and commit come along; dSYMs and mappings too. Builds that the server has already are passed over.',
  ].join('\n'),
  parse: parseAppCenterRelease,
})
