/**
 * Records a crash of React Native's engine for `test/dashboard/hermes-story.test.ts`: `node scripts/record-hermes.ts`.
 * Metro bundles the app in `test/dashboard/hermes`, Hermes compiles the bundle to bytecode, the two source maps become
 * one as in a release build, the bytecode throws in Hermes, and the SDK of React Native sends its error. The test needs
 * none of that. Hermes 0.4.3 is the last whose npm package has the engine and not the compiler alone.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const run = promisify(execFile)
const here = join(import.meta.dirname, '../test/dashboard/hermes')
/** Metro writes paths into the map, so the folder has one name everywhere. */
const folder = '/tmp/shop-hermes'
const release = 'org.tarn.shop@2.4.0+412'
const packages = {
  '@babel/core': '7.28.5',
  '@babel/runtime': '7.28.4',
  '@react-native/babel-preset': '0.81.5',
  '@react-native/metro-babel-transformer': '0.81.5',
  '@sentry/react-native': '8.28.0',
  'hermes-engine': '0.4.3',
  metro: '0.83.3',
  'metro-source-map': '0.83.3',
}

async function install(): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(join(here, 'src'), join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
  await writeFile(join(folder, 'babel.config.js'), "module.exports = { presets: ['@react-native/babel-preset'] }\n")
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
}

/** Bundles the app as a release build does. */
async function bundle(): Promise<void> {
  const script = `const Metro = require('metro')
const transformer = { babelTransformerPath: require.resolve('@react-native/metro-babel-transformer') }
Metro.loadConfig({}, { projectRoot: __dirname, transformer }).then((config) => {
  const output = { out: 'index.android.bundle', sourceMap: true, sourceMapOut: 'packager.map' }
  return Metro.runBuild(config, { entry: 'src/index.ts', platform: 'android', dev: false, minify: true, ...output })
}).catch((error) => { console.error(error); process.exit(1) })
`
  await writeFile(join(folder, 'bundle.js'), script)
  await run(process.execPath, ['bundle.js'], { cwd: folder })
}

/** Compiles the bundle, composes its maps as React Native's own script does, and returns what the engine prints. */
async function throwInHermes(): Promise<string> {
  const hermes = join(folder, 'node_modules/hermes-engine/linux64-bin/hermes')
  const options = { cwd: folder }
  const script = 'index.android.bundle.js'
  const compile = ['-emit-binary', '-O', '-w', '-output-source-map', '-out', 'index.android.bundle']
  await run(hermes, [...compile, script], options)
  const composing = `const { composeSourceMaps } = require('metro-source-map')
const { readFileSync, writeFileSync } = require('node:fs')
const read = (name) => JSON.parse(readFileSync(name, 'utf8'))
const maps = [read('packager.map'), read('index.android.bundle.map')]
writeFileSync('composed.map', JSON.stringify(composeSourceMaps(maps)))
`
  await writeFile(join(folder, 'compose.js'), composing)
  await run(process.execPath, ['compose.js'], options)
  const { stdout } = await run(hermes, ['-b', 'index.android.bundle'], options)
  // The engine of an app is told the name of its bundle, and the program that is run here is not.
  return stdout.trim().replaceAll('address at unknown:', 'address at index.android.bundle:')
}

/** Sends the error as React Native's SDK does under Hermes, and returns the envelope. */
async function send(stack: string): Promise<Buffer> {
  const sdk = join(folder, 'node_modules/@sentry/react-native/dist/js')
  const source = `import { BrowserClient, defaultStackParser, makeFetchTransport } from '@sentry/browser'
import { createReactNativeRewriteFrames } from ${JSON.stringify(join(sdk, 'integrations/rewriteframes.js'))}
import { SDK_NAME, SDK_VERSION } from ${JSON.stringify(join(sdk, 'version.js'))}
globalThis.HermesInternal = {}
const client = new BrowserClient({
  dsn: process.env.DSN,
  release: ${JSON.stringify(release)},
  dist: '412',
  transport: makeFetchTransport,
  stackParser: defaultStackParser,
  integrations: [createReactNativeRewriteFrames()],
  _metadata: { sdk: { name: SDK_NAME, version: SDK_VERSION } },
})
client.init()
const stack = process.env.STACK
const error = new TypeError(stack.slice('TypeError: '.length, stack.indexOf('\\n')))
error.stack = stack
client.captureException(error, { mechanism: { type: 'onerror', handled: false } })
await client.flush(5000)
`
  await writeFile(join(folder, 'send.mjs'), source)
  const phone = join(folder, 'phone.mjs')
  await writeFile(
    phone,
    `export const Platform = { OS: 'android' }
export const [AppRegistry, NativeModules, TurboModuleRegistry] = [{}, {}, {}]
export default {}
`,
  )
  const bundled = await rolldown({
    input: join(folder, 'send.mjs'),
    // Neither the phone's part of the SDK nor React Native itself is there.
    plugins: [{ name: 'phone', resolveId: (id) => (/^(?:react-native|expo)/.test(id) ? phone : undefined) }],
    logLevel: 'silent',
  })
  await bundled.write({ file: join(folder, 'sender.mjs'), format: 'esm' })
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (body.includes('"type":"event"')) resolve(body)
      response.end('{}')
    })
  })
  await new Promise<void>((listening) => void server.listen(24_110, '127.0.0.1', listening))
  const env = {
    PATH: process.env['PATH'],
    DSN: 'http://5f2b8c0d9e7a4136b8c2d4e6f8a01357@127.0.0.1:24110/7',
    STACK: stack,
  }
  await run(process.execPath, [join(folder, 'sender.mjs')], { env })
  server.close()
  return await promise
}

if (process.argv[2] !== '--installed') await install()
await bundle()
const stack = await throwInHermes()
console.log(stack)
await writeFile(join(here, 'crash.envelope'), await send(stack))
await writeFile(join(here, 'index.android.bundle.map.gz'), gzipSync(await readFile(join(folder, 'composed.map'))))
