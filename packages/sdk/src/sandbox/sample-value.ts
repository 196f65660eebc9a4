import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { FieldTypeEntry } from '@symbolon/protocol';
import type { ValueInput } from '../values/plaintext.ts';

/**
 * A made-up value that is valid for a type; another one for another turn, where the type has more than one.
 *
 * @param turn any whole number from 0
 * @returns undefined when none can be made up: for files, plugins, and types whose own pattern nothing here fits
 */
export function sampleValue(type: string, registry: FieldTypeRegistry, turn: number): ValueInput | undefined {
  const resolved = registry.resolve(type);
  if (resolved === undefined || resolved.lane !== 'inline') return undefined;
  const isValid = (value: unknown) => registry.validate(type, value).valid;
  const { input, options, fields, lineage, check } = resolved;
  switch (input) {
    case 'composite':
      return compositeOf(fields ?? [], turn, (value) => {
        const result = registry.validate(type, value);
        return result.valid ? undefined : result.path;
      });
    case 'multilist': {
      const picks = options?.length ? [pick(options, turn)] : undefined;
      return picks && isValid(picks) ? picks : undefined;
    }
    default: {
      const names = [...lineage].reverse();
      const candidates = texts({ input, check, options: options ?? [] }, names, turn);
      return candidates.find(isValid);
    }
  }
}

/** Fills every entry, and leaves out the ones whose values do not pass; a required one gets its next candidate. */
function compositeOf(
  fields: readonly FieldTypeEntry[],
  turn: number,
  /** The place of what is wrong, as a JSON Pointer; undefined when all is well. */
  wrongAt: (value: Readonly<Record<string, string>>) => string | undefined,
): Readonly<Record<string, string>> | undefined {
  const left = new Map(
    fields.map(({ key, input, check, options }) => [
      key,
      texts({ input, check, options: options ?? [] }, [key], turn),
    ]),
  );
  for (;;) {
    const value = Object.fromEntries(
      Array.from(left).flatMap(([key, candidates]) =>
        candidates[0] === undefined ? [] : [[key, candidates[0]]],
      ),
    );
    const path = wrongAt(value);
    if (path === undefined) return Object.keys(value).length > 0 ? value : undefined;
    const candidates = left.get(path.replace(/^\//, '').split('/')[0] ?? '');
    if (candidates === undefined || candidates.length === 0) return undefined;
    candidates.shift();
  }
}

/** What might pass, the most telling first. */
function texts(
  shape: { input: string; check: string | null; options: readonly string[] },
  names: readonly string[],
  turn: number,
): string[] {
  const { input, check, options } = shape;
  const named = names.flatMap((name) => NAMED[name]?.(turn) ?? []);
  const checked = check === null ? [] : (CHECKED[check]?.(turn) ?? []);
  const shaped = SHAPED[input]?.(turn) ?? [];
  const listed = input === 'list' && options.length > 0 ? [pick(options, turn)] : [];
  const digits = String(turn % 1_000_000).padStart(6, '0');
  // For patterns of an operator's own types.
  const plain =
    input === 'line' && check === null ? [digits, `A${digits}`, 'SANDBOX', 'sandbox', '1', 'A'] : [];
  return [...listed, ...named, ...shaped, ...checked, ...plain];
}

function pick(choices: readonly string[], turn: number): string {
  return choices[turn % choices.length] ?? '';
}

type Samples = Readonly<Record<string, (turn: number) => readonly string[]>>;

const NAMED: Samples = {
  email: (turn) => [`sandbox+${turn}@sandbox.example`],
  url: (turn) => [`https://sandbox.example/${turn}`],
  personal_number: (turn) => [`SBX-${turn}`],
  place_of_birth: (turn) => [`${pick(CITIES, turn)}, DE`],
  text: (turn) => [`Sandbox ${turn}`],
  street: (turn) => [`${pick(CITIES, turn)}er Straße`],
  building_number: (turn) => [String((turn % 199) + 1)],
  affix: () => [],
  city: (turn) => [pick(CITIES, turn)],
  postal_code: (turn) => [String(10_000 + (turn % 89_999))],
  // Beside a German city.
  country: (turn) => [pick(['DE', 'FR', 'SE', 'JP', 'BR', 'KE', 'NZ'], turn)],
  nationality: (turn) => [pick(['DE', 'FR', 'SE', 'JP', 'BR', 'KE', 'NZ'], turn)],
  expiry: (turn) => [`${String((turn % 12) + 1).padStart(2, '0')}/39`],
  cvc: (turn) => [String(100 + (turn % 900))],
  name: () => ['Sandbox Person'],
  swift: () => ['SBXSDEFF'],
  account_number: (turn) => [`DE00 0000 0000 ${String(turn % 10_000).padStart(4, '0')}`],
  account_holder: () => ['Sandbox Person'],
  bank_name: () => ['Sandbox Bank'],
};

const CHECKED: Samples = {
  url: (turn) => [`https://sandbox.example/${turn}`],
  // Test numbers of card networks: they are no real cards.
  card: (turn) => [pick(['4242424242424242', '5555555555554444', '378282246310005'], turn)],
  number: (turn) => [`${turn % 100_000}.5`],
  integer: (turn) => [String(turn % 100_000)],
  decimal: (turn) => [`${turn % 100_000}.25`],
  float: (turn) => [`${turn % 100_000}.125`],
};

const SHAPED: Samples = {
  line: (turn) => [`Sandbox ${turn}`],
  date: (turn) => [new Date(Date.UTC(1970, 0, 1 + (turn % 11_000))).toISOString().slice(0, 10)],
  country: (turn) => NAMED.country?.(turn) ?? [],
  nationality: (turn) => NAMED.nationality?.(turn) ?? [],
  state: (turn) => [pick(['CA', 'NY', 'TX', 'OR'], turn)],
  // A block of Berlin numbers set aside for films.
  phone: (turn) => [`+493023125${String(turn % 1000).padStart(3, '0')}`],
};

const CITIES = ['Hamburg', 'Leipzig', 'Bremen', 'Kiel', 'Jena', 'Ulm'];
