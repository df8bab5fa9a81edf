/**
 * Joins the modules of the server, and of the worker processes that it starts, into few files. The tests start some
 * hundred servers, and reading 1,200 modules takes three quarters of the processor time of a start.
 */
import { globSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
/** Inside of `node_modules`, where packages that stay outside of the bundle are found. Each run writes it anew. */
const folder = join(root, 'node_modules/.cache/server-of-tests')
const workerFiles = '{apps/server,packages/*}/src/**/*-{worker,thread}.ts'
const workerAddress = /new URL\('(?:\.\/)?([\w-]+-(?:worker|thread))\.ts', import\.meta\.url\)/g

/** Returns the path of the bundle's main file, which is started as `apps/server/src/main.ts` is. */
export async function bundleServer(): Promise<string> {
  const workers = globSync(workerFiles, { cwd: root }).map((path) => [basename(path, '.ts'), join(root, path)])
  const build = await rolldown({
    input: { main: join(root, 'apps/server/src/main.ts'), ...Object.fromEntries(workers) },
    platform: 'node',
    // The files of the first are served from its own folder; a test replaces methods of the second.
    external: ['playwright-core', 'pg'],
    plugins: [keepPlaces],
  })
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Less to read at each start. Names stay, since errors show them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  await build.close()
  mkdirSync(folder, { recursive: true })
  for (const file of output) replaceFile(file.fileName, file.type === 'chunk' ? file.code : file.source)
  // Without it, Node reads each file once more to find out whether it is a module.
  replaceFile('package.json', '{ "type": "module" }')
  return join(folder, 'main.js')
}

/** Another run of the tests may be reading the file, so it is never there in part. */
function replaceFile(name: string, content: string | Uint8Array): void {
  const written = join(folder, `${name}.${process.pid}`)
  writeFileSync(written, content)
  renameSync(written, join(folder, name))
}

/** Worker processes start from the bundle; any other file that a module reads stays where it is, beside its source. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    const isOurs = id.endsWith('.ts') && !id.includes(`${sep}node_modules${sep}`)
    if (!isOurs || !code.includes('import.meta')) return null
    const kept = code
      .replaceAll(workerAddress, (_, name) => `new URL('./${name}.js', ${bundled})`)
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll(bundled, 'import.meta.url')
    return { code: kept, moduleType: 'ts' }
  },
}

/** Stands for the address of the bundle while that of the source is filled in. */
const bundled = '__ADDRESS_OF_THE_BUNDLE__'

if (import.meta.main) console.log(await bundleServer())
