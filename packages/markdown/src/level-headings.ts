import type MarkdownIt from 'markdown-it'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

/** The notes stand in a section whose title is a heading of the second level. */
const sectionLevel = 2
const deepestLevel = 6

/**
 * Moves headings below the title of the section, whatever levels the author chose: the highest level in the text
 * becomes the third, and no level is skipped on the way down, because screen readers present headings as an outline.
 */
export function levelHeadings(tokens: Token[]): void {
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close')
  const used = [...new Set(headings.map(({ tag }) => tag))].toSorted()
  let level = sectionLevel
  for (const heading of headings) {
    if (heading.type === 'heading_open') {
      level = Math.min(sectionLevel + 1 + used.indexOf(heading.tag), level + 1, deepestLevel)
    }
    heading.tag = `h${level}`
  }
}
