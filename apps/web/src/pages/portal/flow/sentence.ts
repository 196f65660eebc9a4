import type { FlowCondition, FlowExpression } from '@symbolon/flows';
import type { PortalTexts } from '../../../text/portal/index.tsx';

type Texts = Pick<PortalTexts, 't'>;

/** What the keys of answers are called. */
export type Names = (key: string) => string;

/** Deeper parts are shown as dots. */
const DEEP = 6;

/** A condition as people say it: `weight is greater than 2500 and country is one of "DE", "AT"`. */
export function conditionSentence(condition: FlowCondition | undefined, names: Names, texts: Texts): string {
  return sentence(condition ?? null, names, texts, 0);
}

function sentence(condition: FlowCondition, names: Names, { t }: Texts, depth: number): string {
  if (condition === null) return t('condition.always');
  if (depth > DEEP) return '…';
  if (!('children' in condition)) {
    const field = names(condition.field);
    const known = {
      eq: 1,
      ne: 1,
      lt: 1,
      le: 1,
      gt: 1,
      ge: 1,
      in: 1,
      nin: 1,
      answered: 1,
      empty: 1,
      contains: 1,
      not_contains: 1,
    };
    if (!Object.hasOwn(known, condition.op)) return t('condition.never');
    return t(`condition.said.${condition.op}`, { field, value: spelled(condition.value) });
  }
  const children = Array.isArray(condition.children) ? condition.children : [];
  const said = children.map((child) => {
    const text = sentence(child, names, { t }, depth + 1);
    const isGroup = child !== null && 'children' in child && child.op !== 'not' && child.children.length > 1;
    return isGroup ? `(${text})` : text;
  });
  if (condition.op === 'not')
    return said[0] === undefined ? t('condition.never') : t('condition.not', { what: said[0] });
  if (said.length === 0) return t(condition.op === 'and' ? 'condition.always' : 'condition.never');
  return said.join(` ${t(condition.op === 'and' ? 'condition.and' : 'condition.or')} `);
}

/** A value as it stands in a sentence: texts in quotes, numbers bare. */
export function spelled(value: unknown): string {
  if (Array.isArray(value)) return value.map(spelled).join(', ');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) return '“”';
  const text = String(value);
  return text.trim() !== '' && Number.isFinite(Number(text)) ? text : `“${text}”`;
}

const SIGNS: Readonly<Record<string, string>> = { add: '+', sub: '−', mul: '×', div: '÷', mod: 'mod' };

/** An expression as a formula. */
export function expressionText(
  expression: FlowExpression | null | undefined,
  names: Names,
  texts: Texts,
  depth = 0,
): string {
  const { t } = texts;
  if (expression === null || expression === undefined) return t('expression.nothing');
  if (depth > DEEP) return '…';
  const inner = (each: FlowExpression | null | undefined) => expressionText(each, names, texts, depth + 1);
  switch (expression.type) {
    case 'lit':
      return spelled(expression.value);
    case 'ref':
      return names(expression.key);
    case 'today':
      return t('expression.today');
    case 'concat':
      return expression.parts.map(inner).join(' & ');
    case 'datediff':
      return t(`expression.said.${expression.unit}`, {
        from: inner(expression.from),
        to: inner(expression.to),
      });
    case 'if': {
      const cases = expression.cases.map(({ when, then }) =>
        t('expression.case', { when: sentence(when, names, texts, depth + 1), what: inner(then) }),
      );
      return [...cases, t('expression.otherwise', { what: inner(expression.else) })].join('; ');
    }
    case 'math': {
      const args = expression.args.map((each) => (each.type === 'math' ? `(${inner(each)})` : inner(each)));
      const sign = SIGNS[expression.op];
      return sign === undefined ? `${expression.op}(${args.join(', ')})` : args.join(` ${sign} `);
    }
    default:
      return '…';
  }
}
