import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeCountry } from './home-country.ts';

test('the country is guessed by the first language that says one, else by the language of the page', () => {
  for (const [languages, language, country] of [
    [['de', 'de-AT', 'en-US'], 'de', 'AT'],
    [['en'], 'de', 'DE'],
    [[], 'en', 'US'],
    [['en-US@posix', 'c', 'fr-CH'], 'en', 'CH'],
    [['en-US@posix'], 'de', 'DE'],
    [['es-419'], 'en', 'US'],
  ] as const)
    assert.equal(homeCountry(languages, language), country, languages.join());
});
