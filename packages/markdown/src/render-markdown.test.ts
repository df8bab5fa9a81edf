import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMarkdown } from '@fairlead/markdown'

describe('release notes in Markdown', () => {
  it('become HTML with emphasis, lists, code and quotes', () => {
    assert.equal(renderMarkdown('Charts work **offline**'), '<p>Charts work <strong>offline</strong></p>\n')
    assert.match(renderMarkdown('- a\n- b'), /<ul>\s*<li>a<\/li>\s*<li>b<\/li>/)
    assert.match(renderMarkdown('> said'), /<blockquote>/)
  })

  it('keep text in angle brackets', () => {
    assert.match(renderMarkdown('Returns List<String> now'), /List&lt;String&gt; now/)
    assert.match(renderMarkdown('<div>\n**bold**\n</div>'), /&lt;div&gt;/)
  })

  it('keep the breaks between lines', () => {
    assert.match(renderMarkdown('one\ntwo'), /one<br>\s*two/)
  })

  it('show a task list with boxes that screen readers can name', () => {
    const html = renderMarkdown('- [x] done `a`\n- [ ] to do\n- [x]no task\n\n[x] no list', { doneLabel: 'Fertig "1"' })
    assert.match(html, /<li><span role="img" aria-label="Fertig &quot;1&quot;">☑<\/span> done <code>a<\/code><\/li>/)
    assert.match(html, /<li><span role="img" aria-label="Open">☐<\/span> to do<\/li>/)
    assert.match(html, /<li>\[x\]no task<\/li>/)
    assert.match(html, /<p>\[x\] no list<\/p>/)
  })

  it('begin their headings at the third level and skip no level', () => {
    const levels = (text: string) => [...renderMarkdown(text).matchAll(/<(h\d)>/g)].map(([, tag]) => tag)
    assert.equal(renderMarkdown('# New'), '<h3>New</h3>\n')
    assert.equal(renderMarkdown('###### Deep'), '<h3>Deep</h3>\n')
    assert.deepEqual(levels('## a\n#### b\n## c'), ['h3', 'h4', 'h3'])
    assert.deepEqual(levels('### a\n# b\n### c\n## d'), ['h3', 'h3', 'h4', 'h4'])
    assert.deepEqual(levels('# 1\n## 2\n### 3\n#### 4\n##### 5'), ['h3', 'h4', 'h5', 'h6', 'h6'])
  })

  it('have tables and code blocks that can be scrolled with the keyboard', () => {
    assert.match(
      renderMarkdown('|a|b|\n|-|-|\n|1|2|'),
      /^<div class="wide" tabindex="0"><table>[^]*<\/table><\/div>\n$/,
    )
    assert.match(renderMarkdown('```js\nlet a\n```'), /^<pre tabindex="0"><code class="language-js">let a/)
    assert.match(renderMarkdown('    indented'), /^<pre tabindex="0"><code>indented/)
  })

  it('contain links to the web and to mail addresses only', () => {
    const link = /<a href="https:\/\/example\.com" target="_blank" rel="noopener noreferrer nofollow">/
    assert.match(renderMarkdown('[site](https://example.com)'), link)
    assert.match(renderMarkdown('see https://example.com'), link)
    assert.match(renderMarkdown('<ada@example.com>'), /href="mailto:ada@example\.com"/)
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//example.com', '/v1/x']) {
      assert.doesNotMatch(renderMarkdown(`[a](${url}) ![b](${url})`), /href/, url)
    }
  })

  it('link to images instead of loading them, and only once where the image is a link', () => {
    assert.match(
      renderMarkdown('![chart "1"](https://x.example/a.png)'),
      /<a href="https:[^>]*>chart &quot;1&quot;<\/a>/,
    )
    assert.match(renderMarkdown('![](https://x.example/a.png)'), />Image<\/a>/)
    const nested = renderMarkdown('[![alt](https://x.example/a.png)](https://x.example/)')
    assert.equal(nested.match(/<a /g)?.length, 1)
    assert.doesNotMatch(renderMarkdown('![a](https://x.example/a.png)'), /<img/)
  })

  it('contain no HTML or script of their author', () => {
    const hostile = ['<script>1</script>', '<img src=x onerror=1>', '"><svg/onload=1>', '[a](https://x" onclick="1)']
    for (const text of [...hostile, ...hostile.map((part) => `- [x] ${part}`), ...hostile.map((part) => `# ${part}`)]) {
      const html = renderMarkdown(text)
      assert.doesNotMatch(html, /<(script|img|svg)|<[^>]+ on\w+=/i, text)
    }
  })

  it('do not expand reference links, which could make a short text very large', () => {
    const definition = `[a]: https://example.com/${'x'.repeat(30_000)}`
    assert.ok(renderMarkdown(`${definition}\n\n${'[a] '.repeat(7000)}`).length < 200_000)
  })

  it('are shown as text from a limited depth of nesting on', () => {
    const deep = renderMarkdown(`${'>'.repeat(5000)} x`)
    assert.ok((deep.match(/<blockquote>/g)?.length ?? 0) <= 100)
  })
})
