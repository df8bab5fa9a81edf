import { BinaryError, createAppReader } from '@fairlead/binary'

await using reader = createAppReader()
for (const path of process.argv.slice(2)) {
  try {
    const app = await reader.readApp(path, { verify: true })
    console.log(`${app.name} ${app.shortVersion} (${app.version}) for ${app.platform} ${app.minOsVersion} and later`)
    console.log(`  ${app.signing.profile?.type ?? app.signing.integrity}`, ...app.warnings)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    console.log(`${error.code}: ${error.message}`)
  }
}
