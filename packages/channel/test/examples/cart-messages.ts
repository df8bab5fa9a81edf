// The messages of the app. Both sides import them, and the compiler checks every use.
import { defineMessages } from '@fairlead/channel'
import { z } from 'zod'

const Item = z.object({ name: z.string(), price: z.number().positive() })

export const messages = defineMessages({
  add: { content: Item },
  added: { content: Item.extend({ size: z.number() }) },
  count: { answer: Number },
  reset: {},
})
