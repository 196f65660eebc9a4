/**
 * Writes the places that the plugin `places` searches, from two files of GeoNames (CC BY 4.0): `cities500.txt` of cities500.zip and
 * `admin1CodesASCII.txt`, both of https://download.geonames.org/export/dump/.
 *
 * node scripts/places.ts cities500.txt admin1CodesASCII.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { folded } from '../packages/server/src/domains/plugins/builtins/places/folded.ts';
import { argumentsOf } from './usage.ts';

/** Smaller places are left out. */
const PEOPLE_LEAST = 5000;
/** Of places of this size, names in other languages are found too. */
const PEOPLE_OF_MANY_NAMES = 50_000;
const LATIN = /^[\p{Script=Latin}\p{M} '’.-]+$/u;

const [citiesFile = '', regionsFile = ''] = argumentsOf('node scripts/places.ts CITIES REGIONS');
const target = join(
  import.meta.dirname,
  '../packages/server/src/domains/plugins/builtins/places/places.tsv.br',
);
const tableOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

const regions = new Map(tableOf(regionsFile).map(([code = '', name = '']) => [code, name]));
const places = tableOf(citiesFile)
  .map((columns) => {
    const [id = '', name = '', , names = '', latitude = '', longitude = '', , kind, country = ''] = columns;
    const region = regions.get(`${country}.${columns[10]}`) ?? '';
    return { id, name, names, latitude, longitude, kind, country, region, people: Number(columns[14]) };
  })
  // A part of a city is no place of its own.
  .filter(({ kind, people }) => kind !== 'PPLX' && people >= PEOPLE_LEAST)
  .sort((a, b) => b.people - a.people);
const lines = places.map(({ id, name, names, latitude, longitude, country, region, people }) => {
  const others = people >= PEOPLE_OF_MANY_NAMES ? othersOf(name, names.split(',')) : [];
  const place = [Number(latitude).toFixed(4), Number(longitude).toFixed(4)];
  return [id, name, others.join('|'), country, region, ...place].join('\t');
});
const text = Buffer.from(lines.join('\n'));
const options = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  },
};
writeFileSync(target, brotliCompressSync(text, options));
console.log(`${places.length} places`);

/** Names that are found by other letters; airport codes do not count. */
function othersOf(name: string, names: readonly string[]): string[] {
  const written = names.filter((other) => LATIN.test(other) && /^\p{Lu}/u.test(other));
  // Of spellings that differ in accents alone the last one stays.
  const byKey = new Map(written.sort((a, b) => rankOf(a) - rankOf(b)).map((other) => [folded(other), other]));
  byKey.delete(folded(name));
  return [...byKey].flatMap(([key, other]) =>
    key.length > 3 || other !== other.toUpperCase() ? [other] : [],
  );
}

/** `München` is better known than `Munchen`, and `Roma` better than `Róma`. */
function rankOf(name: string): number {
  if (/[äöüåøñçèê]/i.test(name)) return 2;
  return /^[\x20-\x7e]+$/.test(name) ? 1 : 0;
}
