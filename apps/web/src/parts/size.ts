import { useCallback } from 'react';
import { useText } from '../text/index.tsx';

/** How large something is, as people say it. */
export function useSize(): (bytes: number) => string {
  const { language } = useText();
  return useCallback((bytes) => sizeIn(language, bytes), [language]);
}

function sizeIn(language: string, bytes: number): string {
  const [unit, value] =
    bytes < 2 ** 20
      ? (['kilobyte', bytes / 1024] as const)
      : bytes < 2 ** 30
        ? (['megabyte', bytes / 2 ** 20] as const)
        : (['gigabyte', bytes / 2 ** 30] as const);
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    maximumFractionDigits: value < 10 ? 1 : 0,
  });
  return format.format(value);
}
