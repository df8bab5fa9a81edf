import { html, type Html } from '../html/html.ts'

/** Renders a mail as an HTML page with inline styles and a table layout, which is what mail clients support. */
export function renderMail(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:0;background:#f3f4f6">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:560px;background:#ffffff;border-radius:12px"
              >
                <tr>
                  <td
                    style="padding:28px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;
                      font-size:16px;line-height:1.5;color:#111827"
                  >
                    ${content}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.toString()
}

/** Renders the single call to action of a mail. */
export function renderButton(href: string, label: string): Html {
  return html`<p style="margin:24px 0">
    <a
      href="${href}"
      style="display:inline-block;padding:12px 24px;border-radius:8px;background:#0b6c7e;
        color:#ffffff;font-weight:600;text-decoration:none"
      >${label}</a
    >
  </p>`
}
