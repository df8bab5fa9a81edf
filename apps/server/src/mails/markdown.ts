import MarkdownIt from 'markdown-it'
import { Html } from '../install/html.ts'

// HTML in the text is shown as text. Pictures would tell their server who reads the mail, so they stay links.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')
markdown.validateLink = (url) => /^(https?:|mailto:)/i.test(url.trim())

/** Release notes come from outside: what comes back holds only the elements of Markdown, and links to web and mail. */
export function renderMarkdown(text: string): Html {
  return new Html(markdown.render(text))
}
