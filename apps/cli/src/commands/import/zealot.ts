import { buildImportCommand } from '../../moving/import-command.ts'
import { parseZealotRelease } from '../../moving/release-record.ts'

export const command = buildImportCommand({
  brief: 'Import an export of Zealot',
  fullDescription: [
    'Reads the folder of uploads (public/uploads, with apps/a1/r1/binary and debug_files/a1), and files of JSON with',
    'the releases as the API gave them, put anywhere beside it. They are matched by identifier and version. Notes,',
    'branch, commit and job come along; debug files with dSYMs too.',
    'Builds that the server has already are passed over.',
  ].join('\n'),
  parse: parseZealotRelease,
})
