import { existsSync } from 'node:fs';

/** The Chromium of this machine; undefined where none is installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
