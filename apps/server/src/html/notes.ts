import MarkdownIt from 'markdown-it'
import { Html } from './html.ts'

const markdown = createMarkdown()

/**
 * Renders release notes from Markdown to safe HTML: raw HTML is escaped, images are dropped, and links may use http,
 * https and mailto only. Headings start at level three, below the section's title.
 */
export function renderNotes(notes: string): Html {
  return new Html(markdown.render(notes))
}

function createMarkdown(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url.trim())
  const { rules } = markdown.renderer
  rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? '')
  rules.link_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow')
    return renderer.renderToken(tokens, index, options)
  }
  const lower: typeof rules.heading_open = (tokens, index, options, _env, renderer) => {
    const token = tokens[index]
    if (token) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`
    return renderer.renderToken(tokens, index, options)
  }
  rules.heading_open = lower
  rules.heading_close = lower
  // A wide table scrolls inside its own box; the tab index makes that possible with the keyboard.
  rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
  return markdown
}
