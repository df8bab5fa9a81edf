// What the two say to each other, for both to import: the compiler checks every use.
import { defineMessages } from '@fairlead/channel'
import { z } from 'zod'

const Item = z.object({ name: z.string(), price: z.number().positive() })

export const messages = defineMessages({
  add: { content: Item },
  added: { content: Item.extend({ size: z.number() }) },
  count: { answer: Number },
  reset: {},
})
