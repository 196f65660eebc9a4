import { flowLimits } from '@symbolon/protocol/constants';

/** Whether a text has more characters, counted as JSON Schema does: by code points. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}

/** The name of an answer or constant, as far as its form goes. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !isLonger(value, flowLimits.referenceMost);
}
