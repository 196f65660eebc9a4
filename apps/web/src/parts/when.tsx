import { useEffect, useState } from 'react';
import { useText } from '../text/index.tsx';

/** The time, once a second. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The time of the day; of another day, its date too. */
export function Clock({ at }: { at: string }) {
  const { language } = useText();
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(useNow(30_000)).toDateString();
  const format = new Intl.DateTimeFormat(language, {
    ...(!isToday && { dateStyle: 'medium' }),
    timeStyle: 'short',
  });
  return <time dateTime={at}>{format.format(date)}</time>;
}

/** A time as people say it, with the exact one on hover. */
export function When({ at }: { at: string }) {
  const { language } = useText();
  const now = useNow(30_000);
  const date = new Date(at);
  const seconds = (date.getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const text =
    unit === 'second' ? format.format(0, 'minute') : format.format(Math.round(seconds / size), unit);
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
  return (
    <time dateTime={at} title={exact}>
      {text}
    </time>
  );
}
