import { join } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as Meaning, type Type } from 'typescript/unstable/sync';

/** A piece of code with a name: a function, a variable, a member of a class, of an object or of a type. */
export interface Code {
  readonly node: Syntax;
  /** The words of the vocabulary that stand in it. */
  readonly words: Set<string>;
  readonly uses: Set<Code>;
}

/** What a route does, as its declaration has it. */
export interface Handler {
  /** Of `METHOD /path/:parameter`, as the compiler knows it. */
  readonly address: RegExp;
  /** The same with anything in place of variables: routes of a path that varies may say another one to the compiler. */
  readonly open: RegExp;
  readonly code: Code;
  readonly summary: string | undefined;
}

/** What is read here of the nodes of all kinds. */
interface Syntax extends Node {
  readonly parent: Syntax;
  readonly text?: string;
  readonly name?: Syntax;
  readonly type?: Syntax;
  readonly initializer?: Syntax;
  readonly expression?: Syntax;
  readonly arguments?: readonly Syntax[];
  readonly properties?: readonly Syntax[];
  readonly typeParameters?: readonly Syntax[];
  readonly head?: { readonly text: string };
  readonly templateSpans?: readonly { readonly literal: { readonly text: string } }[];
}

/** The type of a text, or of one of some. */
interface Valued {
  readonly value?: unknown;
  getTypes?(): readonly Valued[];
}

interface Use {
  readonly name: Syntax;
  readonly by: readonly Code[];
}

const K = SyntaxKind;
const OF_OBJECTS: ReadonlySet<SyntaxKind> = new Set([
  K.MethodDeclaration,
  K.GetAccessor,
  K.PropertyDeclaration,
  K.PropertyAssignment,
  K.ShorthandPropertyAssignment,
]);
const OF_TYPES: ReadonlySet<SyntaxKind> = new Set([K.MethodSignature, K.PropertySignature]);
const NAMED: ReadonlySet<SyntaxKind> = new Set([
  ...OF_OBJECTS,
  ...OF_TYPES,
  K.FunctionDeclaration,
  K.VariableDeclaration,
  K.Constructor,
  K.SetAccessor,
]);
const CLASSES: ReadonlySet<SyntaxKind> = new Set([K.ClassDeclaration, K.ClassExpression]);
/** What an alias of an import is marked with. */
const ALIAS = 1 << 21;
const WORD = /[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?/g;
/** The methods of Fastify by which a route is declared without an address that begins with its method. */
const VERBS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST' };

/**
 * Which code uses which, by what the compiler knows of each name. Behind a member of a type is what has this name in every class
 * and object that fits the type, and the words of its comment, for what is not there to be read.
 */
export class CallGraph implements Disposable {
  readonly handlers: Handler[] = [];
  readonly #api: API;
  readonly #checker: Checker;
  readonly #vocabulary: ReadonlySet<string>;
  readonly #codes = new Map<Node, Code>();
  readonly #named = new Map<string, Code[]>();
  readonly #constructors = new Map<Node, Code>();
  readonly #called = new Set<Code>();
  readonly #types = new Map<Node, Type | undefined>();
  readonly #lookedBehind = new Set<Code>();

  /** @param include which sources, as tsconfig.json has it */
  constructor(root: string, include: string, vocabulary: ReadonlySet<string>) {
    this.#vocabulary = vocabulary;
    const config = join(root, 'tsconfig.call-graph.json');
    const text = JSON.stringify({
      extends: './tsconfig.json',
      include: [include],
      exclude: ['**/*.test.ts'],
    });
    this.#api = new API({
      cwd: root,
      fs: {
        readFile: (file) => (file === config ? text : undefined),
        fileExists: (file) => (file === config ? true : undefined),
      },
    });
    const [project] = this.#api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new Error('The compiler opens no project.');
    this.#checker = project.checker;
    const uses = project.rootFiles.map((file) => {
      const found: Use[] = [];
      const source = project.program.getSourceFile(file);
      if (source !== undefined) this.#read(source as Node as Syntax, [], found);
      return found;
    });
    for (const each of uses) this.#link(each);
  }

  [Symbol.dispose](): void {
    this.#api.close();
  }

  /** The words in some code and in all that it uses. */
  wordsBehind(start: readonly Code[]): ReadonlySet<string> {
    const seen = new Set(start);
    for (const code of seen) {
      this.#lookBehind(code);
      for (const used of code.uses) seen.add(used);
    }
    return new Set([...seen].flatMap(({ words }) => [...words]));
  }

  #read(node: Syntax, within: readonly Code[], uses: Use[]): void {
    const by = NAMED.has(node.kind) ? this.#declared(node, within) : within;
    const { kind, text = '' } = node;
    if (kind === K.StringLiteral || kind === K.NoSubstitutionTemplateLiteral) {
      if (this.#vocabulary.has(text)) for (const { words } of by) words.add(text);
    } else if (kind === K.Identifier || kind === K.PrivateIdentifier) {
      uses.push({ name: node, by });
    } else if (kind === K.CallExpression && this.#readRoute(node, by, uses)) {
      return;
    }
    node.forEachChild((child) => {
      if (child.kind < K.FirstTypeNode || child.kind > K.LastTypeNode || OF_TYPES.has(kind))
        this.#read(child as Syntax, by, uses);
      else if (child.kind === K.TypeLiteral) this.#read(child as Syntax, [], uses);
    });
  }

  /** What stands within members of classes is theirs; all else is also a part of what it stands in. */
  #declared(node: Syntax, within: readonly Code[]): readonly Code[] {
    const code = this.#newCode(node);
    const name = node.name?.text ?? '';
    this.#codes.set(node, code);
    if (OF_OBJECTS.has(node.kind)) this.#named.set(name, [...(this.#named.get(name) ?? []), code]);
    if (node.kind === K.Constructor) this.#constructors.set(node.parent, code);
    if (OF_TYPES.has(node.kind)) {
      const said = node.getFullText().match(WORD) ?? [];
      for (const word of said) if (word.includes('.') && this.#vocabulary.has(word)) code.words.add(word);
      if (node.kind === K.MethodSignature || node.type?.kind === K.FunctionType) this.#called.add(code);
      return [code];
    }
    return CLASSES.has(node.parent.kind) ? [code] : [...within, code];
  }

  #newCode(node: Syntax): Code {
    return { node, words: new Set(), uses: new Set() };
  }

  /** A call that declares a route: its handler is code of its own, to which belongs what else the route says beside its errors. */
  #readRoute(call: Syntax, by: readonly Code[], uses: Use[]): boolean {
    const { arguments: [first, ...others] = [], expression } = call;
    const verb = VERBS[expression?.name?.text ?? ''];
    const addresses = first === undefined ? [] : this.#addressesIn(first, verb);
    const handler = others.pop();
    if (addresses.length === 0 || handler === undefined) return false;
    const code = this.#newCode(handler);
    const [address, open] = [addresses.slice(0, -1), addresses.slice(-1)].map(
      (all) => new RegExp(`^(?:${all.join('|')})$`),
    );
    if (address === undefined || open === undefined) return false;
    this.handlers.push({ address, open, code, summary: summaryIn(others) });
    if (expression !== undefined) this.#read(expression, [...by, code], uses);
    for (const each of others) this.#readDeclaration(each, code, uses);
    this.#read(handler, [code], uses);
    return true;
  }

  /**
   * The addresses that an expression can be, as patterns; the last has anything in place of variables.
   * @param verb the method, of `app.get('/path', …)`
   */
  #addressesIn(node: Syntax, verb: string | undefined): readonly string[] {
    if (node.kind === K.AsExpression && node.expression !== undefined)
      return this.#addressesIn(node.expression, verb);
    const { head, templateSpans, text = '' } = node;
    if (node.kind !== K.StringLiteral && node.kind !== K.TemplateExpression) return [];
    const parts = [head?.text ?? text, ...(templateSpans ?? []).map(({ literal }) => literal.text)];
    const known = templateSpans === undefined ? parts : this.#valuesOf(node);
    const all = [...known.map(escaped), parts.map(escaped).join('.*')];
    if (/^[A-Z]+ /.test(parts[0] ?? '')) return all;
    return verb !== undefined && parts[0]?.startsWith('/') ? all.map((path) => `${verb} ${path}`) : [];
  }

  #valuesOf(node: Syntax): readonly string[] {
    const type = this.#checker.getTypeAtLocation(node) as Valued | undefined;
    return [...(type?.getTypes?.() ?? []), type].flatMap((each) =>
      typeof each?.value === 'string' ? [each.value] : [],
    );
  }

  #readDeclaration(node: Syntax, code: Code, uses: Use[]): void {
    if (node.kind !== K.ObjectLiteralExpression) return;
    for (const member of node.properties ?? []) {
      if (member.name?.text === 'errors') continue;
      if (member.name?.text === 'config' && member.initializer !== undefined)
        this.#readDeclaration(member.initializer, code, uses);
      else this.#read(member, [code], uses);
    }
  }

  #link(uses: readonly Use[]): void {
    const meanings = this.#checker.getSymbolAtLocation(uses.map(({ name }) => name));
    for (const [index, { name, by }] of uses.entries()) {
      for (const declared of this.#declarationsOf(name, meanings[index])) {
        const code = CLASSES.has(declared.kind)
          ? name.parent.kind === K.NewExpression
            ? this.#constructors.get(declared)
            : undefined
          : this.#codes.get(declared);
        if (code === undefined) continue;
        if (OF_TYPES.has(code.node.kind) && isCalled(name)) this.#called.add(code);
        for (const user of by) if (user !== code) user.uses.add(code);
      }
    }
  }

  #declarationsOf(name: Syntax, meaning: Meaning | undefined): readonly Node[] {
    let found =
      name.parent.kind === K.ShorthandPropertyAssignment
        ? (this.#checker.getShorthandAssignmentValueSymbol(name.parent) ?? meaning)
        : meaning;
    if (found !== undefined && (found.flags & ALIAS) !== 0) found = this.#checker.getAliasedSymbol(found);
    return (found?.declarations ?? []).flatMap((each) => each.resolve() ?? []);
  }

  /** A field gets its value in the constructor, and a member of a type in what fits the type. */
  #lookBehind(code: Code): void {
    if (this.#lookedBehind.has(code)) return;
    this.#lookedBehind.add(code);
    const { kind, parent, initializer, name } = code.node;
    if (kind === K.PropertyDeclaration && initializer === undefined) {
      const made = this.#constructors.get(parent);
      if (made !== undefined) code.uses.add(made);
    }
    if (!this.#called.has(code)) return;
    for (const meant of this.#named.get(name?.text ?? '') ?? [])
      if (this.#fits(meant.node.parent, parent)) code.uses.add(meant);
  }

  #fits(owner: Syntax, type: Syntax): boolean {
    for (let each = type; each !== undefined; each = each.parent)
      if ((each.typeParameters ?? []).length > 0) return true;
    const [from, to] = [this.#typeOf(owner), this.#typeOf(type)];
    return from === undefined || to === undefined || this.#checker.isTypeAssignableTo(from, to);
  }

  #typeOf(node: Syntax): Type | undefined {
    if (!this.#types.has(node)) {
      const named = node.kind === K.ObjectLiteralExpression ? undefined : node.name;
      const meaning = named && this.#checker.getSymbolAtLocation(named);
      this.#types.set(
        node,
        meaning ? this.#checker.getDeclaredTypeOfSymbol(meaning) : this.#checker.getTypeAtLocation(node),
      );
    }
    return this.#types.get(node);
  }
}

function isCalled({ parent }: Syntax): boolean {
  return parent.kind === K.PropertyAccessExpression && parent.parent.expression === parent;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function summaryIn(declarations: readonly Syntax[]): string | undefined {
  for (const { properties = [] } of declarations) {
    for (const { name, initializer } of properties) {
      if (name?.text === 'summary' && initializer?.kind === K.StringLiteral) return initializer.text;
      const inner = initializer === undefined ? undefined : summaryIn([initializer]);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}
