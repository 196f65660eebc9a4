/* The package types its whole alone. */
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  // biome-ignore lint/style/noDefaultExport: so the module has it
  export { RateLimiterMemory as default } from 'rate-limiter-flexible';
}
declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  // biome-ignore lint/style/noDefaultExport: so the module has it
  export { RateLimiterRes as default } from 'rate-limiter-flexible';
}
