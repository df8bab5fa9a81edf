/** Creates a mapping in R8's format and traces of the program it belongs to. The same seed gives the same files. */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

export interface MadeFrame {
  readonly className: string
  readonly method: string
  readonly line: number
}

/** A linear congruential generator: returns integers from 0 to `limit` − 1. */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const words = [
  'account',
  'billing',
  'cache',
  'data',
  'error',
  'feature',
  'graph',
  'http',
  'image',
  'json',
  'kit',
  'login',
  'media',
  'network',
  'order',
  'profile',
  'query',
  'render',
  'session',
  'task',
  'user',
  'view',
  'widget',
]
const types = [
  'void',
  'int',
  'boolean',
  'java.lang.String',
  'java.util.List',
  'long',
  'android.content.Context',
  'byte[]',
]

/** Writes a mapping of at least `bytes` to `path` and returns the frames that its program can have. */
export async function makeMapping(path: string, bytes: number, seed: number): Promise<MadeFrame[]> {
  const random = createRandom(seed)
  const frames: MadeFrame[] = []
  const file = createWriteStream(path)
  let written = 0
  const write = async (text: string) => {
    written += text.length
    if (!file.write(text)) await once(file, 'drain')
  }
  await write(
    '# compiler: R8\n# compiler_version: 9.0.32\n# min_api: 24\n' +
      '# {"id":"com.android.tools.r8.mapping","version":"2.2"}\n' +
      `# pg_map_id: ${'0123abcd'.repeat(8)}\n# pg_map_hash: SHA-256 ${'0123abcd'.repeat(8)}\n`,
  )
  let number = 0
  const isShort = () => written < bytes
  while (isShort()) await write(makeClass(number++, random, frames))
  file.end()
  await once(file, 'finish')
  return frames
}

function makeClass(number: number, random: (limit: number) => number, frames: MadeFrame[]): string {
  const pick = (list: readonly string[]) => list[random(list.length)] ?? ''
  const simple = `${capital(pick(words))}${capital(pick(words))}${number}`
  const original = `com.example.${pick(words)}.${pick(words)}.${simple}`
  const className = `${shortName(random(26))}${shortName(random(26))}.${shortName(number)}`
  let text = `${original} -> ${className}:\n# {"id":"sourceFile","fileName":"${simple}.kt"}\n`
  for (let field = random(6); field > 0; field--)
    text += `    ${pick(types)} ${pick(words)}${field} -> ${shortName(field)}\n`
  // Most classes are small; one in twenty is large.
  const methods = 1 + random(random(20) === 0 ? 120 : 9)
  let line = 1
  for (let method = 0; method < methods; method++) {
    const renamed = shortName(Math.floor(method / 2))
    const type = pick(types)
    const name = `${pick(words)}${capital(pick(words))}${method}`
    const signature = `${type} ${name}(${random(2) ? pick(types.slice(1)) : ''})`
    // R8 gives members that share a name distinct lines.
    if (method % 2 === 0) line = 1
    for (let range = 1 + random(4); range > 0; range--) {
      const end = line + random(4)
      const source = 10 + random(900)
      frames.push({ className, method: renamed, line })
      if (random(3) === 0) {
        const inlined = `com.example.${pick(words)}.${capital(pick(words))}Kt.${pick(words)}${capital(pick(words))}`
        const type = pick(types)
        const parameter = pick(types.slice(1))
        const [first, last] = [source + 50, source + 50 + end - line]
        text += `    ${line}:${end}:${type} ${inlined}(${parameter}):${first}:${last} -> ${renamed}\n`
        text += `    ${line}:${end}:${signature}:${source} -> ${renamed}\n`
      } else text += `    ${line}:${end}:${signature}:${source}:${source + end - line} -> ${renamed}\n`
      line = end + 1
    }
    if (random(8) === 0) text += `      # {"id":"com.android.tools.r8.synthesized"}\n`
  }
  return text
}

/** Creates a trace of `count` frames. */
export function makeTrace(frames: readonly MadeFrame[], count: number, random: (limit: number) => number): string {
  let text = 'java.lang.IllegalStateException: The session has ended\n'
  for (let place = 0; place < count; place++) {
    const { className, method, line } = frames[random(frames.length)] ?? { className: 'a', method: 'a', line: 1 }
    text += `\tat ${className}.${method}(SourceFile:${line})\n`
  }
  return text
}

function shortName(number: number): string {
  const letter = String.fromCharCode(97 + (number % 26))
  return number < 26 ? letter : shortName(Math.floor(number / 26) - 1) + letter
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
