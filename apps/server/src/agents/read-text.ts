import { z } from 'zod'
import { AgentError } from './agent-error.ts'
import { defineTool } from './tool.ts'
import { Ref } from './trusted.ts'
import { findText } from './texts.ts'
import { cleanText, sliceText, untrusted, untrustedOf } from './untrusted.ts'

const pageLength = 8000

export const readTextTool = defineTool({
  name: 'read_text',
  description:
    'Reads the rest of a text that an answer has cut: take `ref` from the `more` beside it. Texts come in parts of ' +
    '8,000 characters; pass nextOffset for the next part.',
  input: z.strictObject({
    ref: z.string().max(200).describe('`ref` from `more` of an answer'),
    offset: z.int().min(0).default(0).describe('nextOffset of the answer before'),
  }),
  output: z.object({
    ref: Ref,
    offset: z.int(),
    characters: z.int(),
    nextOffset: z.int().nullable(),
    untrusted: untrustedOf({ text: z.string() }),
  }),
  async run(call, { ref: given, offset }) {
    const { ref, text } = await findText(call, given)
    const whole = cleanText(text)
    if (offset > whole.length) throw new AgentError('textNotFound')
    const part = sliceText(whole, offset, offset + pageLength)
    const end = offset + part.length
    return {
      ref,
      offset,
      characters: whole.length,
      nextOffset: end < whole.length ? end : null,
      ...untrusted({ text: part }, ref, pageLength),
    }
  },
})
