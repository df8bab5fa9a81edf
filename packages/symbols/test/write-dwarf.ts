import { ByteBuilder } from './byte-builder.ts'

/** An inlined call, or a function if `parent` is undefined. */
export interface CodeFixture {
  /** The name of the function that is called here. */
  name: string
  linkageName?: string
  low: number
  high: number
  callLine?: number
  callColumn?: number
  inlined?: CodeFixture[]
}

export interface RowFixture {
  address: number
  line: number
  column?: number
  file?: number
}

export interface UnitFixture {
  low: number
  high: number
  files: string[]
  functions: CodeFixture[]
  rows: RowFixture[]
}

/** Writes one unit of DWARF 4, in the forms that clang uses, as sections of a Mach-O file. */
export function writeDwarf(unit: UnitFixture): Record<string, Buffer> {
  const strings = new Strings()
  return {
    __debug_info: writeInfo(unit, strings),
    __debug_abbrev: writeAbbreviations(),
    __debug_line: writeLines(unit),
    __debug_str: strings.toBuffer(),
  }
}

class Strings {
  readonly #bytes = new ByteBuilder().u8(0)

  add(text: string): number {
    const offset = this.#bytes.length
    this.#bytes.string(text)
    return offset
  }

  toBuffer(): Buffer {
    return this.#bytes.toBuffer()
  }
}

const unitCode = 1
const abstractCode = 2
const functionCode = 3
const inlinedCode = 4

function writeAbbreviations(): Buffer {
  const table = new ByteBuilder()
  const define = (code: number, tag: number, hasChildren: number, pairs: [attribute: number, form: number][]) => {
    table.uleb(code).uleb(tag).u8(hasChildren)
    for (const [attribute, form] of pairs) table.uleb(attribute).uleb(form)
    table.u8(0, 0)
  }
  // unit: statement list, low pc, high pc as length
  define(unitCode, 0x11, 1, [
    [0x10, 0x17],
    [0x11, 0x01],
    [0x12, 0x06],
  ])
  // abstract function: name, linkage name
  define(abstractCode, 0x2e, 0, [
    [0x03, 0x0e],
    [0x6e, 0x0e],
  ])
  // function: origin, low pc, high pc as length
  define(functionCode, 0x2e, 1, [
    [0x31, 0x13],
    [0x11, 0x01],
    [0x12, 0x06],
  ])
  // inlined call: origin, low pc, high pc as length, call file, line, column
  define(inlinedCode, 0x1d, 1, [
    [0x31, 0x13],
    [0x11, 0x01],
    [0x12, 0x06],
    [0x58, 0x0b],
    [0x59, 0x05],
    [0x57, 0x0b],
  ])
  return table.u8(0).toBuffer()
}

function writeInfo(unit: UnitFixture, strings: Strings): Buffer {
  const headerLength = 11
  const body = new ByteBuilder()
    .uleb(unitCode)
    .u32(0)
    .u64(unit.low)
    .u32(unit.high - unit.low)
  const origins = new Map<CodeFixture, number>()
  const declare = (code: CodeFixture) => {
    origins.set(code, headerLength + body.length)
    body
      .uleb(abstractCode)
      .u32(strings.add(code.name))
      .u32(strings.add(code.linkageName ?? code.name))
    for (const inner of code.inlined ?? []) declare(inner)
  }
  const write = (code: CodeFixture, isInlined: boolean) => {
    body.uleb(isInlined ? inlinedCode : functionCode)
    body
      .u32(origins.get(code) ?? 0)
      .u64(code.low)
      .u32(code.high - code.low)
    if (isInlined)
      body
        .u8(1)
        .u16(code.callLine ?? 0)
        .u8(code.callColumn ?? 0)
    for (const inner of code.inlined ?? []) write(inner, true)
    body.u8(0)
  }
  for (const code of unit.functions) declare(code)
  for (const code of unit.functions) write(code, false)
  body.u8(0)
  return new ByteBuilder()
    .u32(7 + body.length)
    .u16(4)
    .u32(0)
    .u8(8)
    .append(body.toBuffer())
    .toBuffer()
}

function writeLines(unit: UnitFixture): Buffer {
  const tables = new ByteBuilder().u8(1, 1, 1, 0xfb, 14, 13).u8(0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1).u8(0)
  for (const file of unit.files) tables.string(file).u8(0, 0, 0)
  tables.u8(0)
  const program = new ByteBuilder()
  let line = 1
  for (const row of unit.rows) {
    program.u8(0, 9, 2).u64(row.address)
    program
      .u8(3)
      .sleb(row.line - line)
      .u8(5)
      .uleb(row.column ?? 0)
      .u8(4)
      .uleb(row.file ?? 1)
      .u8(1)
    line = row.line
  }
  program.u8(0, 9, 2).u64(unit.high).u8(0, 1, 1)
  const rest = new ByteBuilder().u16(4).u32(tables.length).append(tables.toBuffer()).append(program.toBuffer())
  return new ByteBuilder().u32(rest.length).append(rest.toBuffer()).toBuffer()
}
