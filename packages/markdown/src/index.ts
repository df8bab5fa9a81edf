export { renderMarkdown } from './render-markdown.ts'
