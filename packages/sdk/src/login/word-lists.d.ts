/** Single lists of the package, which declares all of them as one. */
declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  const words: string[];

  // biome-ignore lint/style/noDefaultExport: so the package has it
  export { words as default };
}
