/** Writes the suites of `suites/` into a checkout, those of JavaScript in the dialect of a framework. */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const suites = join(import.meta.dirname, 'suites')

interface Plan {
  steps: Record<string, { branch: string; commit: string }>
  broken: Record<string, string[]>
}

export const plan: Plan = JSON.parse(readFileSync(join(suites, 'plan.json'), 'utf8'))

/** How a JavaScript framework writes what the common files leave open. */
interface Dialect {
  folder: string
  imports: string
  check: (actual: string, expected: string) => string
  retried: string
  ending: string
  files?: string[]
}

/** Writes the common files in the dialect of a framework. */
export function writeSuite({
  folder,
  imports,
  check,
  retried,
  ending,
  files = [],
}: Dialect): (checkout: string) => void {
  return (checkout) => {
    cpSync(join(suites, 'javascript/src'), join(checkout, 'src'), { recursive: true })
    cpSync(join(suites, 'javascript/plan.js'), join(checkout, 'plan.js'))
    writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }\n')
    for (const name of globSync('*', { cwd: join(suites, folder) })) {
      if (!files.includes(name)) cpSync(join(suites, folder, name), join(checkout, name))
    }
    const header =
      `import { lookup } from 'node:dns/promises'\nimport { isBroken, isBrokenAtFirst } from './plan.js'\n` +
      `import { order, taxOf } from './src/shop.js'\n${imports}\n`
    const bodies = ['cart', 'hooks', 'rates', 'night'].map((name) => join(suites, 'javascript', `${name}.js`))
    for (const path of [...bodies, ...files.map((name) => join(suites, folder, name))]) {
      const body = readFileSync(path, 'utf8')
        .replace(/^( *)RETRIED\(.*\)$/m, (_, indent: string) =>
          retried.replaceAll('\n', `\n${indent}`).replace(/^/, indent),
        )
        .replaceAll(/CHECK\((.*), ([^,]*)\)$/gm, (_, actual: string, wanted: string) => check(actual, wanted))
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.js$/, ending)
      writeFileSync(join(checkout, name), header + body)
    }
  }
}

export function copyFolder(name: string): (checkout: string) => void {
  return (checkout) => cpSync(join(suites, name), checkout, { recursive: true })
}

/** Writes the plan for languages that have no reader of JSON at hand. */
export function writePlanText(checkout: string): void {
  const lines = Object.entries(plan.broken).map(([name, steps]) => `${name}: ${steps.join(' ')}\n`)
  writeFileSync(join(checkout, 'plan.txt'), lines.join(''))
}

/** Runs a program and fails as it does. */
export function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}
