import { buildImportCommand } from '../../moving/import-command.ts'

export const command = buildImportCommand({
  brief: 'Import builds and symbols from any folder',
  fullDescription: [
    'Takes every .apk and .ipa, the notes of app.md or app.txt beside app.apk, dSYMs, and a mapping.txt in the',
    'folder of its APK or below it. Builds that the server has already are passed over.',
  ].join('\n'),
  parse: undefined,
})
