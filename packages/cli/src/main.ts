#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Node would open its debugger to everybody on this machine, and with it the keys in memory.
process.on('SIGUSR1', () => {});
// What one run has compiled, the next need not: a command starts in half the time.
enableCompileCache();
const { runProgram } = await import('./program.ts');

process.exitCode = await runProgram(process.argv.slice(2));
