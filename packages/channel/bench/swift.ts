/**
 * Measures the channel in Swift beside C and TypeScript in one run: `node bench/swift.ts [rounds]`. Needs a Swift
 * toolchain, as `npm run test:swift` does; the program is built for release. All processes are pinned to one core.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { launch } from '@fairlead/channel/test'
import { createContent, openLines, openPingPong, timeBlocking, type Contest } from './contenders.ts'
import { measure, pinned } from './measure.ts'

const root = join(import.meta.dirname, '../../..')
const swiftPackage = join(import.meta.dirname, '../swift')

/** Builds the program and returns the command that starts it. */
function buildProgram(): string[] {
  const script = join(root, 'scripts/swift-toolchain.ts')
  const prefix = execFileSync(process.execPath, [script], { cwd: swiftPackage, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
  const build = [...prefix, 'swift', 'build', '-c', 'release', '--product', 'BenchProgram']
  execFileSync('env', build, { cwd: swiftPackage, stdio: ['ignore', 'ignore', 'inherit'] })
  return ['env', ...prefix, join(swiftPackage, '.build/release/BenchProgram')]
}

async function openContest(command: string[], size: number): Promise<Contest> {
  const floor = openPingPong(size, 'pipes')
  const swift = openLines(command)
  const app = await launch({ command: process.execPath, args: [join(import.meta.dirname, 'channel-app.ts')] })
  const { xpcService } = app
  const content = createContent(size)
  const decoding = Object
  return {
    contenders: {
      'C over pipes': floor.run,
      'Swift send': (rounds) => swift.ask(`send ${rounds} ${size}`),
      'Swift send, no content': (rounds) => swift.ask(`nothing ${rounds} ${size}`),
      'Swift post': (rounds) => swift.ask(`post ${10 * rounds} ${size}`),
      'TypeScript send': (rounds) => timeBlocking(rounds, () => xpcService.send('echo', content, { decoding })),
    },
    async close() {
      floor.close()
      swift.close()
      await app.close()
    },
  }
}

if (pinned()) {
  const command = buildProgram()
  const beside = 'C over pipes'
  await measure('Swift, 100 bytes', await openContest(command, 100), 4000, [
    { contender: 'Swift send', beside, must: 3 },
    { contender: 'Swift send, no content', beside, must: 1.2 },
    { contender: 'Swift post', beside, must: 0.2 },
    { contender: 'TypeScript send', beside, must: Infinity },
  ])
  process.exit()
}
