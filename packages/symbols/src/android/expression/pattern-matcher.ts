/**
 * Matches a pattern against a whole line. The result is that of a backtracking matcher, but no state is tried twice:
 * time and memory are proportional to the length of the line times that of the expression.
 */
import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../../symbols-error.ts'
import { isWordCode } from '../trace/trace-line.ts'
import type { CodeTest, Pattern } from './pattern.ts'

/** Start and end of each capturing group that took part in the match. */
export type Captures = ReadonlyMap<string, { readonly start: number; readonly end: number }>

type Instruction =
  | { op: 'code'; test: CodeTest }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'save'; slot: number }
  | { op: 'boundary'; inverted: boolean }
  | { op: 'start' }
  | { op: 'end' }

const maxInstructions = 10_000
/** A line that needs more states counts as no match. */
const maxStates = 64 * 1024 * 1024

export class PatternMatcher {
  readonly #program: Instruction[] = []
  readonly #names: string[] = []

  constructor(pattern: Pattern) {
    this.#emit(pattern)
  }

  /** Returns the captures of a match with all of `text`; `undefined` if it does not match. */
  match(text: string): Captures | undefined {
    const size = this.#program.length + 1
    if (size * (text.length + 1) > maxStates) return undefined
    const visited = new Uint8Array(Math.ceil((size * (text.length + 1)) / 8))
    const slots = new Int32Array(this.#names.length * 2).fill(-1)
    // A stack of pairs: an instruction and an offset still to be tried, or `~slot` and the value to restore in it. Its
    // length is always even, and all slots and states below are in range: hence `as number`.
    const stack: number[] = [0, 0]
    while (stack.length > 0) {
      const place = stack.pop() ?? outOfRange()
      const pc = stack.pop() ?? outOfRange()
      if (pc < 0) slots[~pc] = place
      else if (this.#run(pc, place, text, { visited, slots, stack, size })) return this.#toCaptures(slots)
    }
    return undefined
  }

  #run(start: number, from: number, text: string, search: Search): boolean {
    const { visited, slots, stack, size } = search
    let place = from
    for (let pc = start; ;) {
      const state = place * size + pc
      const bit = 1 << (state & 7)
      if ((visited[state >>> 3] ?? outOfRange()) & bit) return false
      visited[state >>> 3] = (visited[state >>> 3] ?? outOfRange()) | bit
      const instruction = this.#program[pc]
      if (!instruction) {
        if (place === text.length) return true
        return false
      }
      switch (instruction.op) {
        case 'code':
          if (place === text.length || !instruction.test(text.charCodeAt(place))) return false
          place++
          pc++
          break
        case 'split':
          stack.push(instruction.second, place)
          pc = instruction.first
          break
        case 'jump':
          pc = instruction.to
          break
        case 'save':
          stack.push(~instruction.slot, slots[instruction.slot] ?? outOfRange())
          slots[instruction.slot] = place
          pc++
          break
        case 'boundary':
        case 'start':
        case 'end':
          if (!holds(instruction, text, place)) return false
          pc++
      }
    }
  }

  #toCaptures(slots: Int32Array): Captures {
    const captures = new Map<string, { start: number; end: number }>()
    for (const [number, name] of this.#names.entries()) {
      const [start = -1, end = -1] = slots.subarray(number * 2, number * 2 + 2)
      if (start !== -1 && end !== -1) captures.set(name, { start, end })
    }
    return captures
  }

  #emit(pattern: Pattern): void {
    if (this.#program.length > maxInstructions)
      throw new SymbolsError('malformed-expression', 'The expression is too long.')
    switch (pattern.kind) {
      case 'code':
        this.#program.push({ op: 'code', test: pattern.test })
        break
      case 'sequence':
        for (const item of pattern.items) this.#emit(item)
        break
      case 'choice':
        this.#emitChoice(pattern.items)
        break
      case 'repeat':
        this.#emitRepeat(pattern)
        break
      case 'capture': {
        const slot = this.#names.push(pattern.name) * 2 - 2
        this.#program.push({ op: 'save', slot })
        this.#emit(pattern.item)
        this.#program.push({ op: 'save', slot: slot + 1 })
        break
      }
      case 'boundary':
        this.#program.push({ op: 'boundary', inverted: pattern.inverted })
        break
      case 'start':
      case 'end':
        this.#program.push({ op: pattern.kind })
    }
  }

  #emitChoice(items: readonly Pattern[]): void {
    const jumps: { op: 'jump'; to: number }[] = []
    for (const [place, item] of items.entries()) {
      if (place === items.length - 1) {
        this.#emit(item)
        break
      }
      const split = { op: 'split' as const, first: this.#program.length + 1, second: 0 }
      this.#program.push(split)
      this.#emit(item)
      const jump = { op: 'jump' as const, to: 0 }
      jumps.push(jump)
      this.#program.push(jump)
      split.second = this.#program.length
    }
    for (const jump of jumps) jump.to = this.#program.length
  }

  #emitRepeat({ item, min, max, greedy }: Pattern & { kind: 'repeat' }): void {
    for (let count = 0; count < min; count++) this.#emit(item)
    if (max === Infinity) {
      this.#emitOptional(item, greedy, true)
      return
    }
    for (let count = min; count < max; count++) this.#emitOptional(item, greedy, false)
  }

  #emitOptional(item: Pattern, greedy: boolean, loops: boolean): void {
    const split = { op: 'split' as const, first: 0, second: 0 }
    const head = this.#program.push(split) - 1
    this.#emit(item)
    if (loops) this.#program.push({ op: 'jump', to: head })
    const [into, past] = [head + 1, this.#program.length]
    split.first = greedy ? into : past
    split.second = greedy ? past : into
  }
}

interface Search {
  readonly visited: Uint8Array
  readonly slots: Int32Array
  readonly stack: number[]
  readonly size: number
}

function holds(
  instruction: { op: 'boundary'; inverted: boolean } | { op: 'start' } | { op: 'end' },
  text: string,
  place: number,
): boolean {
  if (instruction.op === 'start') return place === 0
  if (instruction.op === 'end') return place === text.length
  const before = place > 0 && isWordCode(text.charCodeAt(place - 1))
  const after = place < text.length && isWordCode(text.charCodeAt(place))
  return (before !== after) !== instruction.inverted
}
