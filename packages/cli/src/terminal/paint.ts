import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];
export type Paint = ReturnType<typeof createPaint>;

/** Colours for a stream: none when it is no terminal or `NO_COLOR` is set, always when `FORCE_COLOR` is. */
export function createPaint(stream: NodeJS.WriteStream) {
  const paint = (format: Format) => (text: string) => styleText(format, text, { stream });
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    name: paint('cyan'),
    sealed: paint('magenta'),
    title: paint(['bold', 'cyan']),
  };
}
