import { limits, type PluginReply, type PluginRequest } from '@symbolon/protocol';
import type { Builtin } from '../builtin.ts';
import { type FoundPlace, type Place, PlaceIndex } from './place-index.ts';

let index: Promise<PlaceIndex> | undefined;
/** Read at the first search. */
function loaded(): Promise<PlaceIndex> {
  index ??= PlaceIndex.load();
  return index;
}

const PLACE = { key: 'place', kind: 'search_select', label: 'City or town', required: true } as const;
const region = { key: 'region', type: 'text', label: 'Region' } as const;
const country = { key: 'country', type: 'text', label: 'Country' } as const;
const countryCode = { key: 'country_code', type: 'text', label: 'Country code' } as const;

/** Finds cities and towns of at least 5,000 people, and makes addresses of them. The data is of GeoNames (CC BY 4.0). */
export const places: Builtin = {
  key: 'address_lookup',
  name: 'Places and addresses',
  field_types: [
    {
      key: 'place',
      label: 'Place',
      blocks: [PLACE],
      inputs: [],
      outputs: [
        { key: 'name', type: 'text', label: 'Name' },
        region,
        country,
        countryCode,
        { key: 'latitude', type: 'number', label: 'Latitude' },
        { key: 'longitude', type: 'number', label: 'Longitude' },
      ],
    },
    {
      key: 'address',
      label: 'Address',
      blocks: [
        PLACE,
        { key: 'street', kind: 'text', label: 'Street and number', required: true },
        { key: 'postcode', kind: 'text', label: 'Postal code', required: false },
      ],
      inputs: [],
      outputs: [
        { key: 'address', type: 'text', label: 'Address' },
        { key: 'city', type: 'text', label: 'City' },
        region,
        country,
        countryCode,
      ],
    },
  ],
  answer: async (request) =>
    request.op === 'options' ? optionsOf(await loaded(), request.query) : outputsOf(await loaded(), request),
};

function optionsOf(found: PlaceIndex, query: string): PluginReply {
  const most = limits.pluginOptionsMost;
  const all = found.search(query, most + 1);
  const options = all.slice(0, most).map((place) => ({ id: place.id, label: labelOf(place) }));
  return { options, more: all.length > most };
}

/** Who typed another name sees both. */
function labelOf({ name, foundBy, region, country }: FoundPlace): string {
  const shown = foundBy === name ? name : `${foundBy} (${name})`;
  return [shown, region, country].filter(Boolean).join(', ');
}

function outputsOf(found: PlaceIndex, { field_type, picks, values }: PluginRequest): PluginReply {
  const place = found.byId(String(picks.place ?? ''));
  if (place === undefined) return { picks_invalid: true };
  const { id: _, name, latitude, longitude, ...where } = place;
  if (field_type === 'place') return { outputs: { name, ...where, latitude, longitude } };
  return { outputs: { address: addressOf(place, values), city: name, ...where } };
}

function addressOf({ name, country }: Place, values: PluginRequest['values']): string {
  const typed = (key: string) => String(values[key] ?? '').trim();
  const city = [typed('postcode'), name].filter(Boolean).join(' ');
  return [typed('street'), city, country].filter(Boolean).join(', ');
}
