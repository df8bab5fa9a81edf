/**
 * Parses what the mapping of a class says about one obfuscated member name: its line ranges in the order of the file,
 * and the members they belong to. Which lines form one member and which member a note describes follows R8's reader. A
 * member is complete when the next line is not one of its callers. Members with the same name are told apart by their
 * residual signature, which is the signature in the obfuscated program.
 */
import type { TextRange } from '../bytes/text-range.ts'
import type { MapVersion } from '../mapping/map-version.ts'
import { findNote, type FrameRewrite, type MappingNote, parseNote } from '../mapping/mapping-note.ts'
import {
  createSignature,
  toSignatureKey,
  type LineRange,
  maxLineLength,
  type MemberLine,
  parseMemberLine,
  type Signature,
} from '../mapping/member-line.ts'
import { type ClassTable, hashMember } from './class-table.ts'

export interface MappedRange {
  readonly minified: LineRange | undefined
  readonly original: LineRange | undefined
  readonly signature: Signature
  readonly obfuscated: string
  /** Key of the residual signature; `undefined` if that is the source signature with the new name. */
  residual: string | undefined
  synthesized: boolean
  outline: boolean
  /** For a call of an outline: maps a line in the outline to the line in this method that replaces it. */
  callsite: ReadonlyMap<number, number> | undefined
  rewrite: FrameRewrite | undefined
}

export interface Member {
  readonly signature: Signature
  readonly obfuscated: string
  /** Whether the compiler generated the member, so that its frames are left out. */
  synthesized: boolean
  outline: boolean
}

export interface MemberMapping {
  readonly ranges: readonly MappedRange[]
  /** By the key of their residual signature. */
  readonly methods: ReadonlyMap<string, Member>
  readonly fields: readonly Member[]
}

const newline = 0x0a

/** The number of lines per name that are read. */
const maxLines = 50_000

/**
 * Parses the lines for the name `obfuscated` in `text`, the text of one class. `onFault` is called with a sentence for
 * each line or note that is malformed.
 */
export function parseMemberMapping(
  text: TextRange,
  table: ClassTable,
  obfuscated: string,
  version: MapVersion,
  onFault: (fault: string) => void,
): MemberMapping {
  const reader = new MemberReader(version, onFault)
  const { bytes } = text
  let before = -1
  let lines = 0
  for (const number of findLines(table, obfuscated)) {
    const start = text.start + table.startOf(number)
    const next = number + 1 < table.lineCount ? text.start + table.startOf(number + 1) : text.end
    const newlineAt = bytes.indexOf(newline, start)
    const end = newlineAt === -1 || newlineAt >= next ? next : newlineAt
    const line = bytes.toString('utf8', start, Math.min(end, start + maxLineLength))
    const member = parseMemberLine(line)
    if (!member) onFault(`This line is malformed: ${line.slice(0, 200)}`)
    if (member?.obfuscated !== obfuscated) continue
    if (number !== before + 1) reader.skipOthers()
    reader.readMember(member)
    if (end + 1 < next) for (const note of bytes.toString('utf8', end + 1, next).split('\n')) reader.readComment(note)
    before = number
    if (++lines === maxLines) break
  }
  return reader.finish()
}

/** The numbers of the lines that may have that name. */
function* findLines(table: ClassTable, obfuscated: string): Generator<number> {
  const hash = hashMember(obfuscated)
  for (let run = table.findRun(hash, 0); run < table.runCount; run = table.findRun(hash, run + 1)) {
    for (let line = table.firstLineOf(run); line < table.firstLineOf(run + 1); line++) yield line
  }
}

/** The range of a line without notes. */
export function toRange({ minified, original, signature, obfuscated }: MemberLine): MappedRange {
  return {
    minified,
    original,
    signature,
    obfuscated,
    residual: undefined,
    synthesized: false,
    outline: false,
    callsite: undefined,
    rewrite: undefined,
  }
}

/** The key of the residual signature of a range. */
export function toResidualKey({ residual, signature, obfuscated }: MappedRange): string {
  return residual ?? toSignatureKey(signature.type, obfuscated, signature.parameters)
}

/** The previous line, kept until it is known whether the current line is its caller. */
interface Pending {
  readonly line: MemberLine
  readonly notes: MappingNote[]
}

/** Follows R8's reader line by line. A line with another name only ends the member before it. */
class MemberReader {
  readonly #version: MapVersion
  readonly #onFault: (fault: string) => void
  readonly #ranges: MappedRange[] = []
  readonly #methods = new Map<string, Member>()
  readonly #fieldsByKey = new Map<string, Member>()
  readonly #fields: Member[] = []
  #pending: Pending | undefined
  #residual: Signature | undefined
  #activeRange: MappedRange | undefined
  /** The member completed last, and the key of its residual signature. */
  #lastAdded: { member: Member; key: string } | undefined

  constructor(version: MapVersion, onFault: (fault: string) => void) {
    this.#version = version
    this.#onFault = onFault
  }

  readMember(line: MemberLine): void {
    if (line.signature.parameters !== undefined) this.#addRange(line)
    const before = this.#pending
    const isCaller =
      before?.line.minified !== undefined &&
      before.line.obfuscated === line.obfuscated &&
      areSameRange(before.line.minified, line.minified) &&
      line.original?.cardinal === true
    if (before && !isCaller) this.#complete(before)
    this.#pending = { line, notes: before && isCaller ? before.notes : [] }
  }

  /** Ends the current member because lines with other names follow. */
  skipOthers(): void {
    if (this.#pending) this.#complete(this.#pending)
    this.#pending = undefined
    this.#activeRange = undefined
    this.#lastAdded = undefined
  }

  readComment(comment: string): void {
    const json = findNote(comment)
    if (json === undefined) return
    const note = parseNote(json, this.#version)
    if (note === 'malformed') this.#onFault(`This note is malformed: ${comment.slice(0, 200)}`)
    else if (note) this.#addNote(note)
  }

  finish(): MemberMapping {
    if (this.#pending) this.#complete(this.#pending)
    return { ranges: this.#ranges, methods: this.#methods, fields: this.#fields }
  }

  #addRange(line: MemberLine): void {
    const { minified, original, signature, obfuscated } = line
    const active = this.#activeRange
    let residual: string | undefined
    if (active && active.signature.key === signature.key && active.obfuscated === obfuscated) residual = active.residual
    else if (this.#lastAdded?.member.signature.key === signature.key) residual = this.#lastAdded.key
    const range: MappedRange = { ...toRange({ minified, original, signature, obfuscated }), residual }
    this.#activeRange = range
    this.#ranges.push(range)
  }

  #addNote(note: MappingNote): void {
    const range = this.#activeRange
    switch (note.kind) {
      case 'synthesized':
      case 'outline':
        if (range) range[note.kind] = true
        this.#pending?.notes.push(note)
        break
      case 'outlineCallsite':
        if (range) range.callsite ??= note.positions
        break
      case 'rewriteFrame':
        if (range) range.rewrite ??= note
        break
      case 'residualSignature':
        this.#setResidual(note)
        break
      case 'sourceFile':
      case 'version':
        break
    }
  }

  #setResidual({ type, parameters }: MappingNote & { kind: 'residualSignature' }): void {
    if (type === undefined || !this.#pending) {
      this.#onFault('A residual signature is not a valid descriptor.')
      return
    }
    const range = this.#activeRange
    this.#residual = createSignature(type, this.#pending.line.obfuscated, parameters)
    if (!range) return
    if (parameters === undefined) {
      this.#onFault(`The residual signature ${type} is that of a field, but the member is a method.`)
      this.#residual = undefined
    } else if (this.#lastAdded?.member.signature.key !== range.signature.key) {
      range.residual = this.#residual.key
    }
  }

  /** Adds the member of a line; if it was just added, adds the notes to it. */
  #complete({ line, notes }: Pending): void {
    const added = this.#lastAdded
    const isSame =
      line.minified !== undefined &&
      added?.member.obfuscated === line.obfuscated &&
      added.member.signature.key === line.signature.key
    const member = isSame ? added.member : this.#addMember(line)
    for (const { kind } of notes) if (kind === 'synthesized' || kind === 'outline') member[kind] = true
    this.#residual = undefined
  }

  #addMember({ signature, obfuscated }: MemberLine): Member {
    const isMethod = signature.parameters !== undefined
    const residual = this.#residual
    if (residual && (residual.parameters !== undefined) !== isMethod) {
      this.#onFault(
        `The residual signature ${residual.key} does not fit its member: one is a field, the other a method.`,
      )
    }
    const key =
      residual && (residual.parameters !== undefined) === isMethod
        ? residual.key
        : toSignatureKey(signature.type, obfuscated, signature.parameters)
    const known = isMethod ? this.#methods : this.#fieldsByKey
    const member = known.get(key) ?? { signature, obfuscated, synthesized: false, outline: false }
    known.set(key, member)
    if (!isMethod) this.#fields.push(member)
    this.#lastAdded = { member, key }
    return member
  }
}

/** Whether both ranges are equal and were written in the same form. */
export function areSameRange(one: LineRange | undefined, other: LineRange | undefined): boolean {
  if (!one || !other) return one === other
  return one.from === other.from && one.to === other.to && one.cardinal === other.cardinal
}
