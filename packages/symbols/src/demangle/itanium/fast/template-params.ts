import { unsupported, type FastParser, type Ranges, Shape } from './fast-parser.ts'
import { word } from './words.ts'

const declarationLetters = new Set(Buffer.from('yptnk'))

/** Whether the letter after `T` starts the declaration of a template parameter. */
export const isDeclaration = (letter: number): boolean => declarationLetters.has(letter)

/** Writes the argument for `<template-param>` (`T_`, `T0_`…); for a pack, the element that is being expanded. */
export function parseTemplateParam(parser: FastParser): number {
  const arg = parseArgNumber(parser)
  if (arg < 0) return writeAuto(parser, arg)
  return isPack(parser, arg) ? writeElement(parser, arg) : copyRange(parser, parser.args, arg)
}

/** Writes a template parameter as a type, which becomes a substitution. */
export function parseParamType(parser: FastParser): number {
  const start = parser.length
  const arg = parseArgNumber(parser)
  // The fast path does not support template template parameters with arguments.
  if (parser.peek() === 0x49) return unsupported
  if (arg < 0) return parser.remember(start, writeAuto(parser, arg))
  if (!isPack(parser, arg)) return parser.remember(start, copyRange(parser, parser.args, arg))
  parser.rememberPack(arg)
  return writeElement(parser, arg)
}

const broken = -1
const unknown = -2
const auto = word('auto')

function writeAuto(parser: FastParser, arg: number): number {
  if (arg === broken || !parser.isGeneric) return unsupported
  parser.write(auto)
  return Shape.plain
}

/** The index in `args` of the argument that a parameter refers to, `unknown` or `broken`. */
function parseArgNumber(parser: FastParser): number {
  parser.at++
  let index = 0
  if (!parser.skip(0x5f)) {
    index = parser.number() + 1
    if (index === 0 || !parser.skip(0x5f)) return broken
  }
  return index < parser.levelCount ? parser.levelStart + index : unknown
}

const isPack = (parser: FastParser, arg: number): boolean => (parser.packs[arg * 2] as number) >= 0

/** Writes the current element of a pack. The first pack that a pattern names sets the number of repetitions. */
export function writeElement(parser: FastParser, arg: number): number {
  if (!parser.isExpanding) return unsupported
  const count = parser.packs[arg * 2 + 1] as number
  if (parser.packCount < 0) parser.packCount = count
  if (parser.packIndex >= count) return Shape.plain
  return copyRange(parser, parser.elements, (parser.packs[arg * 2] as number) + parser.packIndex)
}

function copyRange(parser: FastParser, ranges: Ranges, index: number): number {
  const shape = ranges[index * 3 + 2] as number
  if ((shape & Shape.unprintable) !== 0) return unsupported
  return parser.copy(ranges[index * 3] as number, ranges[index * 3 + 1] as number) ? shape : unsupported
}

const comma = word(', ')

const parseTypePattern = (parser: FastParser): number => parser.type()

/** Writes `Dp <type>`, a pack expansion that becomes a substitution. */
export function parseExpansionType(parser: FastParser): number {
  const start = parser.length
  const shape = parseExpansion(parser, parseTypePattern)
  if (shape !== unsupported) parser.remember(start, Shape.unprintable)
  return shape
}

/**
 * Parses two letters and a pattern, and reads the pattern once for each element of its packs. Substitutions inside it
 * have no fixed text.
 */
export function parseExpansion(parser: FastParser, parsePattern: (parser: FastParser) => number): number {
  const { isExpanding, packIndex, packCount, length, substitutionCount } = parser
  parser.at += 2
  const patternAt = parser.at
  parser.isExpanding = true
  parser.packIndex = 0
  parser.packCount = -1
  let shape = parsePattern(parser)
  const count = parser.packCount
  if (shape === unsupported || count < 0) return unsupported
  const { at, substitutionCount: remembered } = parser
  if (count === 0) parser.length = length
  for (let index = 1; index < count; index++) {
    if (parser.isTooLong()) return unsupported
    parser.write(comma)
    parser.at = patternAt
    parser.packIndex = index
    shape = parsePattern(parser)
    if (shape === unsupported) return unsupported
    parser.substitutionCount = remembered
  }
  parser.at = at
  for (let index = substitutionCount; index < remembered; index++) {
    if (parser.substitutions[index * 3 + 2] !== Shape.pack) parser.substitutions[index * 3 + 2] = Shape.unprintable
  }
  parser.isExpanding = isExpanding
  parser.packIndex = packIndex
  parser.packCount = packCount
  return Shape.plain
}
