import type MarkdownIt from 'markdown-it'

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]

const box = /^\[([ xX])\][ \u00A0]/

/**
 * Replaces `[ ]` and `[x]` at the start of list items by tokens of the type `task`, with `open` or `done` as content.
 */
export function markTasks(tokens: Token[]): void {
  for (const [index, inline] of tokens.entries()) {
    if (inline.type !== 'inline') continue
    const isHeadOfItem = tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open'
    const [first] = inline.children ?? []
    const mark = first?.type === 'text' ? box.exec(first.content) : null
    if (!isHeadOfItem || !first || !mark || !inline.children) continue
    // Every token is of one class, which markdown-it does not export.
    const copy: Token = Object.create(Object.getPrototypeOf(first))
    const task = Object.assign(copy, first, {
      type: 'task',
      content: mark[1] === ' ' ? 'open' : 'done',
    })
    first.content = first.content.slice(mark[0].length)
    inline.children.unshift(task)
  }
}
