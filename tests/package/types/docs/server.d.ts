declare const baseUrl: string, clientId: string, clientSecret: string, apiKey: string;
declare const request: Request;
type Route = (path: string, handler: (request: any, response: any) => unknown) => void;
declare const app: { post: Route };
declare const vite: { middlewares: { use: Route } };
declare const hono: import("hono").Hono;
declare const createServer: typeof import("node:http").createServer;
declare function senderOfSession(request: unknown): string | undefined;
declare function log(error: unknown): void;
declare function saveStatus(transferId: string, status: string, changedAt: string | undefined): Promise<void>;
declare const redis: {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { PX?: number | undefined }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
};
