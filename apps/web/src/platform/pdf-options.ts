import { PICTURE_DOTS_MOST } from '@symbolon/pdf/dots';

/** Where the build puts what the reader fetches. */
declare const PDF_RESOURCES: string;

/** A canvas of more is refused by phones. */
export const PIXELS_MOST = 16 * 2 ** 20;

/** How pages are drawn here: by nothing that the policy of the pages forbids, and with fonts of this site alone. */
export const PDF_OPTIONS = {
  useWasm: false,
  wasmUrl: PDF_RESOURCES,
  cMapUrl: PDF_RESOURCES,
  standardFontDataUrl: PDF_RESOURCES,
  useSystemFonts: false,
  maxImageSize: PICTURE_DOTS_MOST,
};
