import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { switchFlag, textFlag } from '../flags.ts'
import type { Io } from '../io.ts'

interface Flags {
  readonly mapping: readonly string[]
  readonly regex?: string
  readonly verbose: boolean
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: {
    brief: 'Restore an Android trace or log with a mapping on this machine, as R8 retrace does',
    fullDescription: [
      'Reads a trace or log of any length and writes it restored, line by line. No server is asked.',
      '',
      '  adb logcat | fairlead retrace - --mapping mapping.txt',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'The trace or log; - is standard input', placeholder: 'file', parse: String, default: '-' },
      ],
    },
    flags: {
      mapping: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        brief: 'The mapping.txt; a further one restores the result of the first',
        placeholder: 'file',
      },
      regex: textFlag('How lines are cut into parts, as with --regex of R8', 'expression'),
      verbose: switchFlag('Write methods with their types'),
    },
  },
  func(flags, file) {
    return retraceFile(this.io, flags, file)
  },
})

async function retraceFile(io: Io, { mapping, regex, verbose }: Flags, file: string): Promise<void> {
  const { compileLineExpression, openMapping, retraceStream } = await import('@fairlead/symbols')
  const { indexCached } = await import('../symbols/index-cache.ts')
  const options = { verbose, ...(regex !== undefined && { parseLine: compileLineExpression(regex) }) }
  const mappings = []
  try {
    for (const path of mapping) {
      const index = await indexCached(io, resolve(io.cwd, path))
      if (index.kind !== 'proguard') throw new CliError('refused', `${path} is not a mapping of ProGuard or R8`)
      mappings.push(openMapping(index.mappingFile))
    }
    const source = file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file))
    const bytes = source as AsyncIterable<Uint8Array>
    await pipeline(retraceStream(bytes, mappings, options), io.stdout, { end: false, signal: io.signal })
  } finally {
    for (const opened of mappings) opened[Symbol.dispose]()
  }
}
