/** A PDF file with one empty page. */
export function trialPage(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>',
  ];
  let text = '%PDF-1.7\n';
  const entries = ['0000000000 65535 f '];
  for (const [index, object] of objects.entries()) {
    entries.push(`${String(text.length).padStart(10, '0')} 00000 n `);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = entries.length;
  const table = `xref\n0 ${size}\n${entries.join('\n')}\ntrailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}
