import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import classes from './markdown.module.css'

/**
 * Renders user-written Markdown without raw HTML. Images become links, because loading a remote image would tell its
 * host who reads the notes.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes['root']}>
      <ReactMarkdown
        skipHtml
        remarkPlugins={[remarkGfm]}
        components={{
          a: ({ href, children }) => (
            <a href={href} target="_blank" rel="noopener noreferrer nofollow">
              {children}
            </a>
          ),
          img: ({ src, alt }) => (
            <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">
              {alt === undefined || alt === '' ? 'Picture' : alt}
            </a>
          ),
          h1: 'h3',
          h2: 'h3',
          h3: 'h4',
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
