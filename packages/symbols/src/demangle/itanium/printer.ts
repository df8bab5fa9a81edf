import { limits } from '../limits.ts'
import { inner, type Node } from './node.ts'
import { hasArray, hasFunction, hasRight, syntaxOf, targetOf } from './shape.ts'

const noPack = -1

/**
 * Prints a tree. A type is printed in two parts, left and right of the name it would declare: `int (*` and `)[3]`.
 * Once it has `failed` nothing more is printed.
 */
export class Printer {
  text = ''
  failed = false
  /** Where a pack expansion stands, and how many there are; -1 outside of one. */
  packIndex = noPack
  packCount = noPack
  /** How many brackets are open inside the innermost `<>`: with none, a `>` would close that. */
  #brackets = 1
  #depth = 0
  #steps = 0

  print(node: Node): void {
    this.left(node)
    this.right(node)
  }

  left(node: Node): void {
    if (!this.#enter()) return
    this.#left(node)
    this.#depth--
  }

  right(node: Node): void {
    if (!this.#enter()) return
    this.#right(node)
    this.#depth--
  }

  #enter(): boolean {
    if (++this.#steps > limits.steps || this.#depth >= limits.depth || this.text.length > limits.outputLength) {
      this.failed = true
    }
    if (this.failed) return false
    this.#depth++
    return true
  }

  #left(node: Node): void {
    switch (node.kind) {
      case 'name':
        this.text += node.text
        break
      case 'sequence':
      case 'special':
      case 'closure':
      case 'module':
        this.#parts(node)
        break
      case 'list':
      case 'argument pack':
        this.#list(node)
        break
      case 'brackets':
        this.#brackets++
        this.text += node.text.charAt(0)
        this.#parts(node)
        this.#brackets--
        this.text += node.text.charAt(1)
        break
      case 'angles':
        this.#angles(node)
        break
      case 'operand':
        this.#operand(node)
        break
      case 'left':
        this.#leftOf(node)
        break
      case 'binary':
        this.#binary(node)
        break
      case 'qualified':
        this.#leftOf(node)
        this.text += node.text
        break
      case 'objc protocol':
        this.#parts(node)
        this.text += `<${node.text}>`
        break
      case 'declaration':
        this.#declarationLeft(node)
        break
      case 'pack declaration':
        this.#leftOf(node)
        this.text += '...'
        break
      case 'expansion':
        this.#expansion(node)
        break
      default:
        this.#typeLeft(node)
    }
  }

  #typeLeft(node: Node): void {
    const content = inner(node)
    if (!content && node.kind !== 'pack' && node.kind !== 'forward') return
    switch (node.kind) {
      case 'pointer':
        if (content) this.#pointerLeft(content)
        break
      case 'reference':
        this.#reference(node, true)
        break
      case 'member pointer': {
        const owner = inner(node, 1)
        if (!content || !owner) break
        this.left(content)
        this.text += hasArray(content, this) || hasFunction(content, this) ? '(' : ' '
        this.print(owner)
        this.text += '::*'
        break
      }
      case 'array':
        this.#leftOf(node)
        break
      case 'function':
        this.#leftOf(node)
        this.text += ' '
        break
      case 'encoding':
        this.#encodingLeft(node)
        break
      case 'pack':
      case 'forward':
        this.#indirect(node, true)
        break
      default:
    }
  }

  #right(node: Node): void {
    const content = inner(node)
    switch (node.kind) {
      case 'qualified':
      case 'pack declaration':
        if (content) this.right(content)
        break
      case 'pointer':
        if (content && !isObject(content)) this.#closeAround(content)
        break
      case 'member pointer':
        if (content) this.#closeAround(content)
        break
      case 'reference':
        this.#reference(node, false)
        break
      case 'array':
        this.#arrayRight(node)
        break
      case 'function': {
        const [, parameters, after] = node.parts
        this.#part(parameters)
        if (content) this.right(content)
        this.#part(after)
        break
      }
      case 'encoding': {
        const [, parameters, after] = node.parts
        const result = inner(node, 3)
        this.#part(parameters)
        if (result) this.right(result)
        this.#part(after)
        break
      }
      case 'declaration': {
        this.#part(node.parts[1])
        const valueType = inner(node, 2)
        if (valueType) this.right(valueType)
        break
      }
      case 'pack':
      case 'forward':
        this.#indirect(node, false)
        break
      default:
    }
  }

  #part(part: string | Node | undefined): void {
    if (typeof part === 'string') this.text += part
    else if (part) this.print(part)
  }

  #parts(node: Node): void {
    for (const part of node.parts) this.#part(part)
  }

  #leftOf(node: Node): void {
    const content = inner(node)
    if (content) this.left(content)
  }

  /** An empty pack prints nothing, and then its comma goes too. */
  #list(node: Node): void {
    let isFirst = true
    for (const part of node.parts) {
      if (this.failed) return
      const before = this.text
      if (!isFirst) this.text += ', '
      const start = this.text.length
      if (typeof part === 'object') this.#printOperand(part, 18)
      if (this.text.length === start) this.text = before
      else isFirst = false
    }
  }

  #angles(node: Node): void {
    const brackets = this.#brackets
    this.#brackets = 0
    this.text += '<'
    this.#parts(node)
    this.text += '>'
    this.#brackets = brackets
  }

  #operand(node: Node): void {
    const content = inner(node)
    if (content) this.#printOperand(content, node.precedence + (node.text === 'strict' ? 1 : 0))
  }

  #printOperand(node: Node, least: number): void {
    if (node.precedence < least) {
      this.print(node)
      return
    }
    this.#brackets++
    this.text += '('
    this.print(node)
    this.#brackets--
    this.text += ')'
  }

  #binary(node: Node): void {
    const closes = this.#brackets === 0 && (node.text === '>' || node.text === '>>')
    if (closes) {
      this.#brackets++
      this.text += '('
    }
    this.#parts(node)
    if (!closes) return
    this.#brackets--
    this.text += ')'
  }

  #declarationLeft(node: Node): void {
    const valueType = inner(node, 2)
    this.#part(node.parts[0])
    if (!valueType) return
    this.left(valueType)
    if (!hasRight(valueType, this)) this.text += ' '
  }

  #pointerLeft(content: Node): void {
    if (isObject(content)) {
      this.text += `id<${content.text}>`
      return
    }
    this.left(content)
    this.#openAround(content)
    this.text += '*'
  }

  #openAround(content: Node): void {
    const isArray = hasArray(content, this)
    if (isArray) this.text += ' '
    if (isArray || hasFunction(content, this)) this.text += '('
  }

  #closeAround(content: Node): void {
    if (hasArray(content, this) || hasFunction(content, this)) this.text += ')'
    this.right(content)
  }

  /** A reference to a reference is one reference: `&&` only when all of them are. */
  #reference(node: Node, isLeft: boolean): void {
    if (node.busy) return
    node.busy = true
    let symbol = node.text
    let referred = inner(node)
    for (let hops = 0; referred; hops++) {
      const shown: Node = syntaxOf(referred, this)
      if (shown.kind !== 'reference') break
      if (shown.text === '&') symbol = '&'
      referred = hops < limits.depth ? inner(shown) : undefined
    }
    if (referred && isLeft) {
      this.left(referred)
      this.#openAround(referred)
      this.text += symbol
    } else if (referred) {
      this.#closeAround(referred)
    }
    node.busy = false
  }

  #arrayRight(node: Node): void {
    if (!this.text.endsWith(']')) this.text += ' '
    this.text += '['
    this.#part(node.parts[1])
    this.text += ']'
    const element = inner(node)
    if (element) this.right(element)
  }

  #encodingLeft(node: Node): void {
    const result = inner(node, 3)
    if (result) {
      this.left(result)
      if (!hasRight(result, this)) this.text += ' '
    }
    const name = inner(node)
    if (name) this.print(name)
  }

  /** What a forward reference or the place in a pack stands for. */
  #indirect(node: Node, isLeft: boolean): void {
    if (node.busy) return
    const target = targetOf(node, this)
    if (!target) return
    const isForward = node.kind === 'forward'
    if (isForward) node.busy = true
    if (isLeft) this.left(target)
    else this.right(target)
    if (isForward) node.busy = false
  }

  /** Prints the pattern once for each element of the packs in it; without a pack, with `...`. */
  #expansion(node: Node): void {
    const pattern = inner(node)
    const { packIndex, packCount } = this
    this.packIndex = noPack
    this.packCount = noPack
    const before = this.text
    if (pattern) this.print(pattern)
    if (this.packCount === noPack) this.text += '...'
    else if (this.packCount === 0) this.text = before
    for (let i = 1; pattern && i < this.packCount && !this.failed; i++) {
      this.text += ', '
      this.packIndex = i
      this.print(pattern)
    }
    this.packIndex = packIndex
    this.packCount = packCount
  }
}

/** `objc_object` with a protocol is written `id<Protocol>`. */
function isObject(node: Node): boolean {
  const object = node.kind === 'objc protocol' ? inner(node) : undefined
  return object?.kind === 'name' && object.text === 'objc_object'
}
