import { FIELD_TYPE_VALIDATION_MOST } from '@symbolon/protocol/constants';
import { RE2JS } from 're2js';
import { FieldTypeError } from './errors.ts';

/** A compiled `validation`. */
export interface CompiledPattern {
  /** Does the pattern match the whole text? */
  matches(text: string): boolean;
}

/**
 * Compiles a `validation`: RE2 syntax (https://github.com/google/re2/wiki/Syntax), stored without anchors,
 * matched against the whole value. Matching never backtracks: its steps are bounded by the length of the text
 * times the size of the compiled program, and that size is capped, so no stored pattern can block a
 * validator.
 *
 * The most recently used patterns are kept compiled, by source.
 *
 * @param source At most 200 UTF-16 units.
 * @throws {FieldTypeError} `pattern_too_long`; `pattern_invalid` for a syntax error and for what RE2 cannot
 *   do in linear time (look-around, back references); `pattern_too_complex` when repeats unfold into too
 *   large a program.
 */
export function compilePattern(source: string): CompiledPattern {
  const cached = cache.get(source);
  if (cached !== undefined) {
    cache.delete(source);
    cache.set(source, cached);
    return cached;
  }
  const compiled = compile(source);
  cache.set(source, compiled);
  if (cache.size > CACHE_MOST) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  return compiled;
}

/** In order of use, the latest last. */
const cache = new Map<string, CompiledPattern>();
const CACHE_MOST = 500;

/** Instructions; `.{0,400}` has about 800. It bounds what one character of a value may cost. */
const PROGRAM_MOST = 1000;

function compile(source: string): CompiledPattern {
  if (source.length > FIELD_TYPE_VALIDATION_MOST) {
    throw new FieldTypeError(
      'pattern_too_long',
      `A validation has at most ${FIELD_TYPE_VALIDATION_MOST} characters.`,
    );
  }
  const program = parse(source);
  if (program.programSize() > PROGRAM_MOST) {
    throw new FieldTypeError(
      'pattern_too_complex',
      'The repeats of this pattern unfold into too large a program.',
    );
  }
  return Object.freeze({ matches: (text: string) => program.testExact(text) });
}

function parse(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    throw new FieldTypeError('pattern_invalid', `This pattern cannot be used: ${reason}`, { cause });
  }
}
