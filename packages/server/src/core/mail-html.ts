import { escapedHtml } from './html.ts';
import type { Mail } from './mail.ts';

/**
 * The HTML twin of a mail: its paragraphs, with the code and the link where they stand in the text. It sets no colours, so that every
 * program shows it in its own, light or dark, and loads nothing.
 */
export function mailHtml({ subject, text, code, link }: Mail): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p style="${PARAGRAPH}">${marked(paragraph, code, link)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(subject)}</title>
</head>
<body style="${BODY}">
<div style="${COLUMN}">
${paragraphs.join('\n')}
</div>
</body>
</html>
`;
}

/** A paragraph with its code or its link; what looks like an address elsewhere is text of a user. */
function marked(paragraph: string, code = '', link?: string): string {
  if (paragraph === link) return `<a href="${escapedHtml(link)}" style="${LINK}">${escapedHtml(link)}</a>`;
  if (code === '' || !paragraph.startsWith(code)) return escapedHtml(paragraph);
  return `<strong style="${CODE}">${escapedHtml(code)}</strong>${escapedHtml(paragraph.slice(code.length))}`;
}

const BODY = 'margin:0;padding:24px;color-scheme:light dark';
const COLUMN =
  "max-width:560px;margin:0 auto;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
// An address or a hash may be longer than a line of a phone.
const PARAGRAPH = 'margin:0 0 16px;overflow-wrap:anywhere';
const LINK = 'word-break:break-all';
const CODE = 'font-size:24px;letter-spacing:2px;white-space:nowrap';
