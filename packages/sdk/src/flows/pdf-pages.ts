/** What is read of the pages of a PDF: as `pdfjs-dist` gives them. */
export type PdfPages = {
  readonly numPages: number;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ items: readonly object[] }>;
    getAnnotations(): Promise<readonly { fieldValue?: unknown }[]>;
    cleanup(): unknown;
  }>;
};

/** What the pages of a PDF say, with what stands in its form fields. */
export async function textOfPages(pages: PdfPages): Promise<string> {
  const parts: string[] = [];
  for (let number = 1; number <= pages.numPages; number++) {
    const page = await pages.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ('str' in item) parts.push(String(item.str), 'hasEOL' in item && item.hasEOL === true ? '\n' : '');
    for (const { fieldValue } of await page.getAnnotations())
      parts.push('\n', [fieldValue].flat().join('\n'));
    page.cleanup();
  }
  return parts.join('');
}
