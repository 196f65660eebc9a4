interface NamedRun {
  readonly created_at: string;
  /** What the company calls it. */
  readonly reference: string | null;
}

/** What a run is called: the name of its flow, the day on which it began, and what the company calls it. */
export function runName(flowName: string, { created_at: at, reference }: NamedRun, language: string): string {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(at));
  return [flowName, day, ...(reference === null ? [] : [reference])].join(' · ');
}
