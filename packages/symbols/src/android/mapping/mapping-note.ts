/**
 * Notes are comments in a mapping that hold a JSON object, `# {"id":"…", …}`, and describe the class or member above
 * them. The kinds are those of R8's map format 2.2.
 */
import { type MapVersion, mapVersions, parseMapVersion } from './map-version.ts'
import { parseRelaxedJson, type RelaxedJson } from './relaxed-json.ts'
import { parseFieldDescriptor, parseMethodDescriptor } from './type-descriptor.ts'

export type MappingNote =
  | { kind: 'version'; name: string; version: MapVersion }
  | { kind: 'sourceFile'; fileName: string }
  | { kind: 'synthesized' }
  | { kind: 'outline' }
  | { kind: 'outlineCallsite'; positions: ReadonlyMap<number, number> }
  | ({ kind: 'rewriteFrame' } & FrameRewrite)
  /**
   * `parameters` are joined by commas and missing for a field. Both are missing if the signature is not a descriptor.
   */
  | { kind: 'residualSignature'; type?: string; parameters?: string }

/** Removes inner frames if the thrown exception is one of `thrown`, which holds obfuscated names as the trace does. */
export interface FrameRewrite {
  readonly thrown: readonly string[]
  readonly removeInnerFrames: number
}

type Fields = { [key: string]: RelaxedJson }

/** Returns the JSON of a comment line; `undefined` if the line holds none. */
export function findNote(line: string): string | undefined {
  const hash = line.indexOf('#')
  if (hash === -1 || line.slice(0, hash).trim() !== '') return undefined
  const brace = line.indexOf('{', hash)
  if (brace === -1 || line.slice(hash + 1, brace).trim() !== '') return undefined
  return line.slice(brace)
}

const usualSourceFile = '{"id":"sourceFile","fileName":"'

/**
 * Returns the file name of a `sourceFile` note in the exact form that R8 writes; `undefined` for any other note. It
 * saves the JSON parser for nearly all classes.
 */
export function findFileNameFast(json: string): string | undefined {
  if (!json.startsWith(usualSourceFile) || !json.endsWith('"}') || json.includes('\\')) return undefined
  const name = json.slice(usualSourceFile.length, -2)
  return name.includes('"') ? undefined : name
}

/**
 * Parses the JSON of a note. Returns `undefined` if a mapping of that version has no such note, and `malformed` if the
 * note exists but is not valid.
 */
export function parseNote(json: string, version: MapVersion): MappingNote | 'malformed' | undefined {
  const fields = parseRelaxedJson(json)
  if (fields === null || typeof fields !== 'object' || Array.isArray(fields)) return 'malformed'
  const { id } = fields
  if (typeof id !== 'string') return undefined
  switch (id) {
    case 'com.android.tools.r8.mapping':
      return parseVersion(fields)
    case 'sourceFile':
      return typeof fields['fileName'] === 'string' ? { kind: 'sourceFile', fileName: fields['fileName'] } : 'malformed'
    case 'com.android.tools.r8.synthesized':
      return version >= mapVersions.v1_0 ? { kind: 'synthesized' } : undefined
    case 'com.android.tools.r8.outline':
      return version >= mapVersions.v2_0 ? { kind: 'outline' } : undefined
    case 'com.android.tools.r8.outlineCallsite':
      return version >= mapVersions.v2_0 ? parseOutlineCallsite(fields) : undefined
    case 'com.android.tools.r8.rewriteFrame':
      return version >= mapVersions.v2_0 ? parseRewriteFrame(fields) : undefined
    case 'com.android.tools.r8.residualsignature':
      return version >= mapVersions.v2_2 ? parseResidualSignature(fields) : undefined
    default:
      return undefined
  }
}

function parseVersion(fields: Fields): MappingNote | 'malformed' {
  const name = fields['version']
  if (typeof name !== 'string' && typeof name !== 'number') return 'malformed'
  return { kind: 'version', name: String(name), version: parseMapVersion(String(name)) }
}

function parseOutlineCallsite(fields: Fields): MappingNote | 'malformed' {
  const positions = fields['positions']
  if (positions === null || typeof positions !== 'object' || Array.isArray(positions)) return 'malformed'
  const entries: [number, number][] = []
  for (const [outlined, inlined] of Object.entries(positions)) {
    const pair: [number, number] = [Number(outlined), Number(inlined)]
    if (!pair.every(Number.isInteger)) return 'malformed'
    entries.push(pair)
  }
  return { kind: 'outlineCallsite', positions: new Map(entries) }
}

function parseRewriteFrame(fields: Fields): MappingNote | 'malformed' {
  const { conditions, actions } = fields
  if (!Array.isArray(conditions) || !Array.isArray(actions)) return 'malformed'
  const thrown: string[] = []
  for (const condition of conditions) {
    const descriptor = argumentOf(condition, 'throws')
    const name = descriptor === undefined ? undefined : parseFieldDescriptor(descriptor)
    if (name === undefined) return 'malformed'
    thrown.push(name)
  }
  let removeInnerFrames = 0
  for (const action of actions) {
    const count = argumentOf(action, 'removeInnerFrames')
    if (count === undefined || !/^-?\d{1,9}$/.test(count)) return 'malformed'
    removeInnerFrames += Number(count)
  }
  return { kind: 'rewriteFrame', thrown, removeInnerFrames }
}

/** Returns the text between the brackets of `name(…)`; `undefined` if `call` does not have that form. */
function argumentOf(call: RelaxedJson, name: string): string | undefined {
  if (typeof call !== 'string' || !call.startsWith(`${name}(`) || !call.endsWith(')')) return undefined
  return call.slice(name.length + 1, -1)
}

function parseResidualSignature(fields: Fields): MappingNote | 'malformed' {
  const { signature } = fields
  if (typeof signature !== 'string') return 'malformed'
  if (signature.includes('(')) return { kind: 'residualSignature', ...parseMethodDescriptor(signature) }
  const type = parseFieldDescriptor(signature)
  return type === undefined ? { kind: 'residualSignature' } : { kind: 'residualSignature', type }
}
