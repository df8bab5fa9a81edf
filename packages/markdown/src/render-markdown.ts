import MarkdownIt from 'markdown-it'
import { levelHeadings } from './level-headings.ts'
import { markTasks } from './mark-tasks.ts'

export interface MarkdownOptions {
  /** The label that screen readers read for the box of a task that is done. */
  doneLabel?: string
  /** The label that screen readers read for the box of a task that is not done yet. */
  openLabel?: string
}

type Markdown = InstanceType<typeof MarkdownIt>

const linkAttributes = [
  ['target', '_blank'],
  ['rel', 'noopener noreferrer nofollow'],
] as const

const markdown = createMarkdown()

/**
 * Renders Markdown from users as HTML that is safe in any page: it contains no HTML of its author, no images, and only
 * links to the web and to mail addresses.
 */
export function renderMarkdown(text: string, { doneLabel = 'Done', openLabel = 'Open' }: MarkdownOptions = {}): string {
  return markdown.render(text, { doneLabel, openLabel })
}

function createMarkdown(): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  // A reference link repeats its address wherever it is used, so 64 KiB of notes could become hundreds of megabytes.
  markdown.disable('reference')
  markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url.trim())
  markdown.core.ruler.after('inline', 'tasks', ({ tokens }) => markTasks(tokens))
  markdown.core.ruler.after('inline', 'heading-levels', ({ tokens }) => levelHeadings(tokens))
  const { rules } = markdown.renderer
  rules.link_open = (tokens, index, options, _env, renderer) => {
    for (const [name, value] of linkAttributes) tokens[index]?.attrSet(name, value)
    return renderer.renderToken(tokens, index, options)
  }
  rules.image = (tokens, index) => {
    const token = tokens[index]
    if (!token) return ''
    const name = markdown.utils.escapeHtml(token.content === '' ? 'Image' : token.content)
    if (isInLink(tokens, index)) return name
    const attributes = linkAttributes.map(([key, value]) => ` ${key}="${value}"`).join('')
    return `<a href="${markdown.utils.escapeHtml(String(token.attrGet('src')))}"${attributes}>${name}</a>`
  }
  rules.task = (tokens, index, _options, env) => {
    // `renderMarkdown` is the only caller, and passes both labels.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
    const { doneLabel, openLabel } = env as Required<MarkdownOptions>
    const isDone = tokens[index]?.content === 'done'
    const label = markdown.utils.escapeHtml(isDone ? doneLabel : openLabel)
    return `<span role="img" aria-label="${label}">${isDone ? '☑' : '☐'}</span> `
  }
  // A block that is wider than the screen scrolls by itself, and must take the focus to be scrolled by the keyboard.
  rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
  for (const name of ['fence', 'code_block']) {
    const render = rules[name]
    if (!render) continue
    rules[name] = (...given) => render(...given).replace(/^<pre>/, '<pre tabindex="0">')
  }
  return markdown
}

/** Whether the token at this place stands inside a link, where a second link would be invalid HTML. */
function isInLink(tokens: { type: string }[], index: number): boolean {
  const before = tokens.slice(0, index)
  const count = (type: string) => before.filter((token) => token.type === type).length
  return count('link_open') > count('link_close')
}
