// What the scripts use of Node.js, of whose types Debian 12 has no package.
declare module 'express';
declare module 'fs';
declare module 'http';
declare module 'node:crypto';
declare module 'node:http';
declare module 'path';
declare module 'readline';
declare const Buffer: { concat(chunks: unknown[]): { toString(): string } };
declare const console: { log(...words: unknown[]): void, error(...words: unknown[]): void };
declare const process: {
  argv: string[], env: Record<string, string | undefined>, exit(code: number): never, stdin: unknown,
  on(event: 'uncaughtException', handler: (error: Error) => void): void,
};
