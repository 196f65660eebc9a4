import { findCaller } from '../profile/caller.ts';
import { profileNames } from '../profile/profile.ts';
import { rowsOf, serviceIdOf } from '../resources/find.ts';
import { FINDERS } from '../resources/table/finders.ts';
import { writeLine } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

/**
 * Prints the names that may stand in a place, each with what it is behind a tab. A shell waits for it: it gives up soon, asks
 * nothing, and says nothing of a failure.
 *
 * @param words that were typed, of which the options say as whom and for which service
 */
export async function printValues(kind: string, words: readonly string[]): Promise<void> {
  if (kind === 'profile') {
    for (const name of profileNames()) await writeLine(name);
    return;
  }
  const finder = FINDERS[kind];
  if (finder === undefined) return;
  try {
    const given = optionsIn(words);
    const caller = await findCaller(given, finder.as);
    const api = await caller.open({ timeoutMs: PATIENCE_MS, retry: { attempts: 0 } });
    const places: Record<string, string> = {};
    if (finder.call.includes('{service}')) {
      places.service = await serviceIdOf(api, given.service, caller.serviceId);
    }
    const [name = finder.id] = finder.names;
    for (const row of (await rowsOf(api, finder, places)).slice(0, SHOWN_MOST)) {
      const word = printable(String(row[name] ?? ''));
      if (/^[\w.:@/-]+$/.test(word))
        await writeLine(`${word}\t${printable(String(row[finder.label] ?? ''))}`);
    }
  } catch {
    // No reader is left.
  }
}

type Given = { service?: string; config?: string; profile?: string };

function optionsIn(words: readonly string[]): Given {
  const given: Given = {};
  for (const [index, word] of words.entries()) {
    const [, name, value = words[index + 1]] = /^--(service|config|profile)(?:=(.*))?$/.exec(word) ?? [];
    if (name !== undefined && value !== undefined) given[name as keyof Given] = value;
  }
  return given;
}

const PATIENCE_MS = 10_000;
const SHOWN_MOST = 500;
