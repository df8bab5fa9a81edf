import { createBirpc } from 'birpc'

createBirpc(
  { echo: (content: unknown) => content },
  { post: (data) => process.send?.(data), on: (listener) => process.on('message', listener) },
)
