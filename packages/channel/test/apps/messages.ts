import { defineMessages, type Encodable } from '@fairlead/channel'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

/** A class whose instances are sent as the result of `encode`. */
export class User implements Encodable {
  readonly id: number
  readonly tags: readonly string[]

  constructor(id: number, tags: readonly string[]) {
    this.id = id
    this.tags = tags
  }

  static decode(value: unknown): User {
    const { id, tags } = z.object({ id: z.number(), tags: z.array(z.string()) }).parse(value)
    return new User(id, tags)
  }

  encode(): unknown {
    return { id: this.id, tags: this.tags }
  }
}

const Rename = z.object({ user: z.object({ id: z.number(), tags: z.array(z.string()) }), name: z.string() })

export const messages = defineMessages({
  user: { content: Number, answer: User },
  users: { answer: [User] },
  rename: { content: Rename, answer: User },
  total: { content: [BigInt], answer: BigInt },
  zod: {
    content: z.object({ amount: z.number(), at: z.date() }),
    answer: z.object({ amount: z.number(), at: z.date() }),
  },
  valibot: { content: v.array(v.pipe(v.string(), v.minLength(2))), answer: v.number() },
  arktype: { content: type({ when: 'Date', 'note?': 'string' }), answer: type('number > 0') },
  bytes: { content: Uint8Array, answer: Uint8Array },
  reset: {},
})
