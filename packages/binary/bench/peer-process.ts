/**
 * Runs app-info-parser on one file in a process of its own, because on some files it never ends. It prints what it read
 * as JSON and then the milliseconds of each round, one per line.
 */
import AppInfoParser from 'app-info-parser'

/** The parser prints lines of its own, so ours begin with an equals sign. */
const print = (line: string | number) => process.stdout.write(`\n=${line}\n`)

const [path = '', rounds = '1'] = process.argv.slice(2)

const { package: name, versionCode, versionName, usesSdk, application } = await new AppInfoParser(path).parse()
const label = [application?.label].flat()[0]
const sdks = [usesSdk?.minSdkVersion, usesSdk?.targetSdkVersion]
print(JSON.stringify([name, versionCode, versionName, ...sdks, label, application?.debuggable ?? false].map(String)))
for (let round = 0; round < Number(rounds); round++) {
  const started = performance.now()
  await new AppInfoParser(path).parse()
  print(performance.now() - started)
}
