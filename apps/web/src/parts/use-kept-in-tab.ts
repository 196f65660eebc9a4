import { useState } from 'react';
import { tabSettings } from '../text/settings.ts';

/**
 * What stands in a form that holds nothing secret, and nothing of a person that a key could seal, kept in this tab until it is sent, given up or
 * signed out: a reload, Back and a session that ends leave it there.
 * @param name of the form, and of the account that fills it in
 */
export function useKeptInTab<Value extends object>(name: string, first: () => Value) {
  const [value, setValue] = useState<Value>(() => ({ ...first(), ...keptAt(name) }));
  const change = (part: Partial<Value>) => {
    const next = { ...value, ...part };
    setValue(next);
    tabSettings.keep(name, JSON.stringify(next));
  };
  return { value, change, drop: () => tabSettings.drop(name) };
}

function keptAt(name: string): object {
  try {
    return JSON.parse(tabSettings.read(name) ?? '{}');
  } catch {
    return {};
  }
}
